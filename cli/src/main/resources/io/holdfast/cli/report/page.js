// Reads a chart out where the pointer or the arrow keys are: the numbers are those of its table.
for (const plot of document.querySelectorAll('.plot[data-x]')) {
  const figure = plot.closest('figure');
  const places = plot.dataset.x.split(' ').map(Number);
  const rows = figure.querySelectorAll('tbody tr');
  const names = [...figure.querySelectorAll('thead th')].map((cell) => cell.textContent);
  const read = figure.querySelector('.read');
  const svg = plot.querySelector('svg');
  const rule = svg.querySelector('.at');
  let now = places.length;
  const show = (index) => {
    now = Math.min(places.length - 1, Math.max(0, index));
    const cells = [...rows[now].children].map((cell) => cell.textContent);
    read.textContent = cells.map((text, i) => `${names[i]} ${text}`).join(' · ');
    rule.setAttribute('d', `M${places[now]} 0V100`);
  };
  svg.addEventListener('pointermove', (event) => {
    const box = svg.getBoundingClientRect();
    const x = (1000 * (event.clientX - box.left)) / box.width;
    show(places.reduce((best, place, i) => (Math.abs(place - x) < Math.abs(places[best] - x) ? i : best), 0));
  });
  plot.addEventListener('keydown', (event) => {
    const to = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: places.length }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      show(to);
    }
  });
}
