// What the page can do beyond being read.
for (const table of document.querySelectorAll('table')) makeSortable(table);

for (const figure of document.querySelectorAll('figure')) {
  const places = figure.querySelectorAll('.chart');
  if (!places.length) continue;
  for (const place of places) new Chart(place);
  figure.classList.add('live');
  if (figure.querySelector('.paper')) figure.querySelector('figcaption').append(swap(figure));
}

function swap(figure) {
  const button = html('button', { type: 'button', className: 'swap', textContent: 'As printed' });
  button.addEventListener('click', () => {
    const printed = figure.classList.toggle('printed');
    button.textContent = printed ? 'As a chart' : 'As printed';
  });
  return button;
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
