// Runs before the page is drawn, so that nothing that was chosen flashes.
(function () {
  var root = document.documentElement;
  root.classList.add("js");
  try {
    var kept = localStorage.getItem("te-shade");
    if (kept === "light" || kept === "dark") root.dataset.shade = kept;
    root.classList.toggle("plainly", localStorage.getItem("te-lines") === "off");
  } catch (error) { /* storage may be switched off */ }
})();
