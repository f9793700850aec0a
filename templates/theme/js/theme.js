// Runs before the page is drawn, so that a chosen shade does not flash.
(function () {
  var root = document.documentElement;
  root.classList.add("js");
  try {
    var kept = localStorage.getItem("te-shade");
    if (kept === "light" || kept === "dark") root.dataset.shade = kept;
  } catch (error) { /* storage may be switched off */ }
})();
