// Search, glossary popups, roll buttons, shade, menu. Everything works from a file and without a network.
(function () {
  "use strict";
  var $ = function (id) { return document.getElementById(id); };
  var make = function (tag, name, text) {
    var made = document.createElement(tag);
    if (name) made.className = name;
    if (text !== undefined) made.textContent = text;
    return made;
  };
  var say = function (text) { $("spoken").textContent = text; };

  // A page opened from a file may load a script but not fetch a text: data comes as scripts, when it is wanted first.
  var asked = {};
  function load(path, then) {
    if (!asked[path]) {
      asked[path] = new Promise(function (done, fail) {
        var script = make("script");
        script.src = path;
        script.onload = done;
        script.onerror = fail;
        document.head.append(script);
      });
    }
    asked[path].then(then, function () { delete asked[path]; });
  }

  // ------------------------------------------------------------ shade and menu
  $("shade").addEventListener("click", function () {
    var root = document.documentElement;
    var dark = root.dataset.shade ? root.dataset.shade === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.shade = dark ? "light" : "dark";
    try { localStorage.setItem("te-shade", root.dataset.shade); } catch (error) { /* storage may be switched off */ }
  });
  $("menu").addEventListener("click", function () {
    var open = $("nav").classList.toggle("open");
    $("menu").setAttribute("aria-expanded", String(open));
  });

  // ------------------------------------------------------------ glossary popups
  var popup = $("popup"), shown = null, timer = 0, finger = false;
  function anchorOf(link) {
    var href = link.getAttribute("href");
    return decodeURIComponent(href.slice(href.indexOf("#") + 1));
  }
  function fill(link) {
    var term = TE_TERMS[anchorOf(link)];
    if (!term) return false;
    var more = make("a", "more", "Read the rule");
    more.href = link.getAttribute("href");
    var head = make("p", "head", term[0] + " ");
    head.append(make("span", "kind", term[1]));
    popup.replaceChildren(head, make("p", "", term[2]), more);
    return true;
  }
  function place(link) {
    var box = link.getBoundingClientRect();
    popup.hidden = false;
    var left = Math.max(8, Math.min(box.left, document.documentElement.clientWidth - popup.offsetWidth - 8));
    var above = box.bottom + popup.offsetHeight + 12 > innerHeight && box.top > popup.offsetHeight + 12;
    popup.style.left = left + scrollX + "px";
    popup.style.top = (above ? box.top - popup.offsetHeight - 6 : box.bottom + 6) + scrollY + "px";
  }
  function show(link) {
    load("js/terms.js", function () {
      if (shown === link || !fill(link)) return;
      hide();
      shown = link;
      link.setAttribute("aria-describedby", "popup");
      place(link);
    });
  }
  function hide() {
    clearTimeout(timer);
    if (shown) shown.removeAttribute("aria-describedby");
    shown = null;
    popup.hidden = true;
  }
  function later(act, wait) { clearTimeout(timer); timer = setTimeout(act, wait); }
  var termOf = function (event) { return event.target.closest ? event.target.closest("main a.term, main a.shown") : null; };
  document.addEventListener("pointerover", function (event) {
    if (event.pointerType !== "mouse") return;
    var link = termOf(event);
    if (link) later(function () { show(link); }, 250);
    else if (event.target.closest("#popup")) clearTimeout(timer);
    else if (shown && document.activeElement !== shown) later(hide, 300);
    else clearTimeout(timer);
  });
  document.addEventListener("pointerdown", function (event) { finger = event.pointerType === "touch"; });
  document.addEventListener("focusin", function (event) {
    var link = termOf(event);
    if (link && !finger) show(link);
    else if (shown && !event.target.closest("#popup") && event.target !== shown) hide();
  });
  document.addEventListener("click", function (event) {
    var link = termOf(event);
    // The first tap of a finger explains, the link in the popup (or a second tap) goes there.
    if (link && finger && shown !== link) { event.preventDefault(); show(link); }
    else if (!event.target.closest("#popup") || event.target.closest("a")) hide();
  });
  document.addEventListener("keydown", function (event) { if (event.key === "Escape") { hide(); close(); } });

  // ------------------------------------------------------------ roll buttons
  function dice(die) {
    var same = /^d([2-9])\1+$/.exec(die), many = /^(\d*)d(\d+)$/.exec(die);
    var one = function (sides) { return 1 + Math.floor(Math.random() * sides); };
    if (same) return function () { return Number(Array.from(die.slice(1), function (sides) { return one(Number(sides)); }).join("")); };
    if (!many) return null;
    return function () { for (var sum = 0, n = Number(many[1] || 1); n > 0; n--) sum += one(Number(many[2])); return sum; };
  }
  document.querySelectorAll("table[data-die]").forEach(function (table) {
    var roll = dice(table.dataset.die), head = table.querySelector("thead th");
    if (!roll) return;
    var button = make("button", "roll", table.dataset.die);
    button.type = "button";
    button.setAttribute("aria-label", "Roll " + table.dataset.die + " on " + table.dataset.name);
    head.replaceChildren(button);
    button.addEventListener("click", function () {
      var face = roll();
      table.querySelectorAll("tbody tr").forEach(function (row) {
        var hit = face >= Number(row.dataset.low) && face <= Number(row.dataset.high);
        row.classList.toggle("hit", hit);
        if (hit) say(face + ": " + row.textContent.trim());
      });
      button.textContent = table.dataset.die + ": " + face;
    });
  });

  // ------------------------------------------------------------ copy
  document.querySelectorAll("button.copy").forEach(function (button) {
    if (!navigator.clipboard) return;
    button.hidden = false;
    button.addEventListener("click", function () {
      navigator.clipboard.writeText($(button.dataset.copy).textContent).then(function () { button.textContent = "Copied"; say("Copied"); });
    });
  });

  // ------------------------------------------------------------ search
  var field = $("q"), results = $("results");
  var flat = function (text) { return text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase(); };
  var wordsOf = function (text) { return flat(text).split(/[^\p{L}\p{N}]+/u).filter(Boolean); };
  var index = null;
  function ready() {
    index = index || TE_SEARCH.map(function (row) {
      return { row: row, title: flat(row[0]), words: wordsOf(row[0]), also: wordsOf(row[3]), kind: wordsOf(row[1]), text: wordsOf(row[4]) };
    });
  }
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
  function find(text) {
    var words = wordsOf(text), whole = flat(text).trim();
    if (!words.length) return [];
    return index.map(function (item) { return [score(item, words, whole), item.row]; })
      .filter(function (hit) { return hit[0] > 0; })
      .sort(function (a, b) { return b[0] - a[0] || (a[1][0] < b[1][0] ? -1 : 1); })
      .slice(0, 12);
  }
  function draw() {
    var text = field.value.trim();
    if (!text) return close();
    load("js/search-data.js", function () {
      ready();
      var hits = find(field.value);
      results.replaceChildren.apply(results, hits.map(function (hit) {
        var item = make("li"), link = make("a");
        link.href = hit[1][2];
        link.append(make("b", "", hit[1][0]), " ", make("span", "kind", hit[1][1]), make("span", "text", hit[1][4]));
        item.append(link);
        return item;
      }));
      if (!hits.length) results.replaceChildren(make("li", "none", "Nothing found"));
      say(hits.length + " found");
      results.hidden = false;
    });
  }
  function close() {
    results.hidden = true;
  }
  function step(by) {
    var links = Array.from(results.querySelectorAll("a"));
    var at = links.indexOf(document.activeElement) + by;
    (at < 0 ? field : links[Math.min(at, links.length - 1)] || field).focus();
  }
  field.addEventListener("input", draw);
  field.addEventListener("focus", function () { load("js/search-data.js", ready); if (field.value && results.hidden) draw(); });
  document.querySelector(".search").addEventListener("keydown", function (event) {
    if (event.key === "ArrowDown") { event.preventDefault(); step(1); }
    else if (event.key === "ArrowUp") { event.preventDefault(); step(-1); }
    else if (event.key === "Escape" && !results.hidden) { field.focus(); close(); }
    else if (event.key === "Enter" && event.target === field) {
      var first = results.querySelector("a");
      if (first && !results.hidden) first.click();
    }
  });
  document.addEventListener("click", function (event) { if (!event.target.closest(".search") || event.target.closest("#results a")) close(); });
  document.addEventListener("keydown", function (event) {
    if (event.key === "/" && !/^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName)) { event.preventDefault(); field.focus(); }
  });
})();
