// Sort a table by the column whose heading is pressed; numbers as numbers, rows without a value last.
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0];
  heads.forEach((head, column) => head.querySelector("button").addEventListener("click", () => {
    const down = head.getAttribute("aria-sort") === "ascending";
    heads.forEach(other => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const key = row => { const cell = row.cells[column]; return cell.dataset.value ?? cell.textContent.trim(); };
    const empty = text => text === "" || text === "nan" || text === "-";
    const compare = (a, b) => {
      if (empty(a) || empty(b)) return empty(a) - empty(b);
      const x = parseFloat(a), y = parseFloat(b);
      return (down ? -1 : 1) * (isNaN(x) || isNaN(y) ? a.localeCompare(b, "en", { numeric: true }) : x - y);
    };
    [...body.rows].sort((a, b) => compare(key(a), key(b))).forEach(row => body.append(row));
  }));
}
