// The key leaves the address and stays with the tab: no bookmark and no history has
// it. A page that is refused without it asks once more with it.
(function () {
  function keepKey() {
    var link = new URLSearchParams(location.search), key = link.get("key");
    var refused = document.querySelector("[data-refused]");
    try {
      var kept = sessionStorage.getItem("linkrank key");
      if (key && !refused) sessionStorage.setItem("linkrank key", key);
      if (!key && refused && kept) {
        sessionStorage.removeItem("linkrank key");
        link.set("key", kept);
        return location.replace("?" + link);
      }
    } catch (error) { return; /* no storage: it stays in the address */ }
    link.delete("key");
    if (key) history.replaceState(null, "", location.pathname +
      (String(link) ? "?" + link : ""));
  }
  // shiny reads the address when it connects
  if (window.Shiny) $(document).one("shiny:connected", keepKey);
  else keepKey();
})();
