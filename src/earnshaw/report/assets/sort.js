// Tables sort by the heading that is pressed: upwards, downwards, and back to the order they came in.
const NEXT = { none: 'ascending', ascending: 'descending', descending: 'none' };

function makeSortable(table) {
  const body = table.tBodies[0];
  if (!body || body.rows.length < 2) return;
  const original = [...body.rows];
  const headings = [...table.tHead.rows[0].cells];
  headings.forEach((heading, column) => {
    const button = html('button', { type: 'button' }, ...heading.childNodes);
    heading.append(button);
    button.addEventListener('click', () => {
      const order = NEXT[heading.getAttribute('aria-sort') ?? 'none'];
      for (const other of headings) other.removeAttribute('aria-sort');
      if (order !== 'none') heading.setAttribute('aria-sort', order);
      body.append(...(order === 'none' ? original : sorted(original, column, order === 'ascending' ? 1 : -1)));
    });
  });
}

function sorted(rows, column, direction) {
  const key = (row) => {
    const cell = row.cells[column];
    const value = cell?.dataset.value;
    if (value === undefined) return cell?.textContent ?? '';
    return value === 'inf' ? Infinity : value === '-inf' ? -Infinity : Number(value);
  };
  const compare = (a, b) => {
    const [one, other] = [key(a), key(b)];
    // What has no value stays last in both directions.
    if ((one === '–') !== (other === '–')) return one === '–' ? 1 : -1;
    if (typeof one === 'number' && typeof other === 'number') return direction * (one === other ? 0 : one < other ? -1 : 1);
    if (typeof one !== typeof other) return typeof one === 'number' ? -direction : direction;
    return direction * one.localeCompare(other, undefined, { numeric: true });
  };
  return [...rows].sort(compare);
}
