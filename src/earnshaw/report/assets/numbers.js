// Numbers in charts: as in the page's tables, four digits, a true minus, powers of ten.
const SUPERSCRIPTS = { '-': '⁻', 0: '⁰', 1: '¹', 2: '²', 3: '³', 4: '⁴', 5: '⁵', 6: '⁶', 7: '⁷', 8: '⁸', 9: '⁹' };

const isNumber = (value) => typeof value === 'number' && Number.isFinite(value);

function shown(value, digits = 4) {
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e-3 && size < 1e5) return String(Number(value.toPrecision(Math.max(digits, Math.ceil(Math.log10(size)))))).replace('-', '−');
  const [mantissa, exponent] = value.toExponential(digits - 1).split('e');
  const power = '10' + [...String(Number(exponent))].map((c) => SUPERSCRIPTS[c]).join('');
  const front = String(Number(mantissa)).replace('-', '−');
  return front === '1' ? power : `${front} × ${power}`;
}
