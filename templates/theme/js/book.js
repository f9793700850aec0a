// Glossary popups, roll buttons, search field, shade, menu. Everything works from a file and without a network.
(function () {
  "use strict";
  var $ = function (id) { return document.getElementById(id); };
  var make = function (tag, name, text) {
    var made = document.createElement(tag);
    if (name) made.className = name;
    if (text !== undefined) made.textContent = text;
    return made;
  };
  // On a page that lies elsewhere: the way to the scripts, and to the pages of the book.
  var up = document.documentElement.dataset.up || "", book = document.documentElement.dataset.book || "";
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

  // What a definition is (name, kind, sentence, page), from the script that has it; `then` gets nothing when there is no such definition.
  function term(anchor, then) {
    var number = 0;
    Array.from(anchor, function (letter) { number = (number * 31 + letter.codePointAt(0)) % 65521; });
    load(up + "js/terms-" + number % Number(document.documentElement.dataset.terms) + ".js", function () { then(TE_TERMS[anchor]); });
  }

  // ------------------------------------------------------------ links from elsewhere
  // A definition may have moved to another page since somebody linked to it; its anchor stays the same.
  function follow() {
    var wanted = decodeURIComponent(location.hash.slice(1));
    if (wanted.slice(0, 2) !== "e-" || $(wanted)) return;
    term(wanted.split("--")[0], function (found) { if (found) location.replace(book + found[3] + ".html#" + wanted); });
  }
  follow();

  // ------------------------------------------------------------ shade, rule lines and menu
  $("shade").addEventListener("click", function () {
    var root = document.documentElement;
    var dark = root.dataset.shade ? root.dataset.shade === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.shade = dark ? "light" : "dark";
    try { localStorage.setItem("te-shade", root.dataset.shade); } catch (error) { /* storage may be switched off */ }
  });
  // A step says in prose and in rule lines what happens; the lines can be folded away.
  if (document.querySelector("main .told")) {
    var lines = $("lines"), root = document.documentElement;
    lines.hidden = false;
    lines.setAttribute("aria-pressed", String(root.classList.contains("plainly")));
    lines.addEventListener("click", function () {
      var off = root.classList.toggle("plainly");
      lines.setAttribute("aria-pressed", String(off));
      try { localStorage.setItem("te-lines", off ? "off" : "on"); } catch (error) { /* storage may be switched off */ }
    });
  }
  // A long list of chapters begins where the reader is.
  var here = document.querySelector("#nav [aria-current]"), nav = $("nav");
  if (here && nav.scrollHeight > nav.clientHeight && here.offsetTop + here.offsetHeight > nav.clientHeight) nav.scrollTop = here.offsetTop - nav.clientHeight / 3;
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
  function fill(link, found) {
    var more = make("a", "more", "Read the rule");
    more.href = link.getAttribute("href");
    var head = make("p", "head", found[0] + " ");
    head.append(make("span", "kind", found[1]));
    popup.replaceChildren(head, make("p", "", found[2]), more);
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
    term(anchorOf(link), function (found) {
      if (shown === link || !found) return;
      hide();
      fill(link, found);
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
  var termOf = function (event) { return event.target.closest ? event.target.closest("main a.term, main a.shown, main a.ruling-mark, main .users a, main .in a") : null; };
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
    var roll = dice(table.dataset.die);
    if (!roll) return;
    var button = make("button", "roll", "Roll " + table.dataset.die);
    button.type = "button";
    button.setAttribute("aria-label", "Roll " + table.dataset.die + " on " + table.dataset.name);
    table.parentNode.before(button);
    button.addEventListener("click", function () {
      var face = roll();
      table.querySelectorAll("tbody tr").forEach(function (row) {
        var hit = face >= Number(row.dataset.low) && face <= Number(row.dataset.high);
        row.classList.toggle("hit", hit);
        if (hit) { say(face + ": " + row.textContent.trim()); row.scrollIntoView({ block: "nearest" }); }
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
  function searching(then) { load(up + "js/search-data.js", function () { load(up + "js/search.js", then); }); }
  function draw() {
    var text = field.value.trim();
    if (!text) return close();
    searching(function () {
      var hits = teFind(field.value);
      results.replaceChildren.apply(results, hits.map(function (hit) {
        var item = make("li"), link = make("a");
        link.href = book + hit[1][2];
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
  field.addEventListener("focus", function () { searching(function () {}); if (field.value && results.hidden) draw(); });
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
