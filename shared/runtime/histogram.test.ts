import { expect, it } from 'vitest';
import { Histogram } from './histogram.ts';

const create = (labelNames: readonly string[] = ['route']) =>
  new Histogram({ name: 'x_seconds', help: 'Time.', labelNames, buckets: [0.1, 1] });

it('renders cumulative buckets, the sum and the count of each series', async () => {
  const histogram = create();
  for (const value of [0.1, 0.5, 3]) histogram.observe(value, { route: '/a"\\\n' });
  expect(await histogram.text()).toBe(
    [
      '# HELP x_seconds Time.',
      '# TYPE x_seconds histogram',
      String.raw`x_seconds_bucket{le="0.1",route="/a\"\\\n"} 1`,
      String.raw`x_seconds_bucket{le="1",route="/a\"\\\n"} 2`,
      String.raw`x_seconds_bucket{le="+Inf",route="/a\"\\\n"} 3`,
      String.raw`x_seconds_sum{route="/a\"\\\n"} 3.6`,
      String.raw`x_seconds_count{route="/a\"\\\n"} 3`,
      '',
    ].join('\n'),
  );
});

it('has a series without labels from the start', async () => {
  expect(await create([]).text()).toContain('x_seconds_bucket{le="+Inf"} 0\nx_seconds_sum 0\n');
});

it('counts label sets beyond 2,000 together', async () => {
  const histogram = create();
  for (let index = 0; index < 2_100; index += 1) histogram.observe(1, { route: `/${index}` });
  const text = await histogram.text();
  expect(text.match(/_count/g)).toHaveLength(2_001);
  expect(text).toContain('x_seconds_count{route="other"} 100');
});

it('yields to other work while it renders many series', async () => {
  const histogram = create();
  for (let index = 0; index < 2_000; index += 1) histogram.observe(1, { route: `/${index}` });
  let turns = 0;
  const count = () => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  await histogram.text();
  clearImmediate(next);
  expect(turns).toBeGreaterThanOrEqual(9);
});
