// Finds things in the index (search-data.js, which sets TE_SEARCH). Loaded when somebody begins to search.
var teFind = (function () {
  "use strict";
  var flat = function (text) { return text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").replace(/[\u2018\u2019]/g, "'").toLowerCase(); };
  var wordsOf = function (text) { return flat(text).split(/[^\p{L}\p{N}]+/u).filter(Boolean); };
  var index = TE_SEARCH.map(function (row) {
    return { row: row, title: flat(row[0]), words: wordsOf(row[0]), also: wordsOf(row[3]), kind: wordsOf(row[1]), text: wordsOf(row[4] + " " + (row[5] || "")) };
  });
  // Whether two words differ by at most `most` letters put in, left out, changed, or swapped with a neighbour.
  function near(a, b, most) {
    if (Math.abs(a.length - b.length) > most) return false;
    var before = null, last = [], i, j;
    for (j = 0; j <= b.length; j++) last[j] = j;
    for (i = 1; i <= a.length; i++) {
      var row = [i], least = i;
      for (j = 1; j <= b.length; j++) {
        var cost = a[i - 1] === b[j - 1] ? 0 : 1;
        row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + cost);
        if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) row[j] = Math.min(row[j], before[j - 2] + 1);
        least = Math.min(least, row[j]);
      }
      if (least > most) return false;
      before = last;
      last = row;
    }
    return last[b.length] <= most;
  }
  function best(word, words, exact, prefix, typo) {
    var score = 0, most = word.length >= 8 ? 2 : word.length >= 4 ? 1 : 0;
    words.forEach(function (other) {
      if (other === word) score = Math.max(score, exact);
      else if (other.startsWith(word)) score = Math.max(score, prefix);
      else if (typo && most && (near(word, other, most) || (other.length > word.length && near(word, other.slice(0, word.length), 1)))) score = Math.max(score, typo);
    });
    return score;
  }
  function score(item, words, whole) {
    var sum = item.title === whole ? 60 : item.title.startsWith(whole) ? 25 : 0;
    for (var n = 0; n < words.length; n++) {
      var got = Math.max(best(words[n], item.words, 40, 30, 12), best(words[n], item.also, 32, 24, 10), best(words[n], item.kind, 14, 8, 0), best(words[n], item.text, 6, 4, 0));
      if (!got) return 0;
      sum += got;
    }
    return sum - item.words.length / 10;
  }
  return function (text) {
    var words = wordsOf(text), whole = flat(text).trim();
    if (!words.length) return [];
    return index.map(function (item) { return [score(item, words, whole), item.row]; })
      .filter(function (hit) { return hit[0] > 0; })
      .sort(function (a, b) { return b[0] - a[0] || (a[1][0] < b[1][0] ? -1 : 1); })
      .slice(0, 12);
  };
})();
