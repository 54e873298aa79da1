// What the page can do beyond being read.
for (const table of document.querySelectorAll('table')) makeSortable(table);

for (const charts of document.querySelectorAll('.charts')) {
  charts.hidden = false;
  for (const place of charts.querySelectorAll('.chart')) new Chart(place);
}

// Paper has no way to open what is closed.
let opened = [];
window.addEventListener('beforeprint', () => {
  opened = [...document.querySelectorAll('details:not([open])')];
  for (const closed of opened) closed.open = true;
});
window.addEventListener('afterprint', () => {
  for (const closed of opened) closed.open = false;
});
