// npm run million: measures the console with a million Contacts in Chromium. Reports for each step the time until the
// rows are visible, the longest gap between two frames, and the longest task of the page's main thread (browsers report
// only tasks over 50 ms).
// MILLION_ROWS (1000000): the number of Contacts.
import type { Page, Request } from '@playwright/test';
import { fillContacts } from '../bench/reads/fill-contacts.ts';
import { makeReaders } from '../bench/reads/make-readers.ts';
import { startProduct } from '../support/harness/product.ts';
import { becomesTrue, hasBrowser, launchBrowser, openVisit, signIn } from './browser.ts';

const count = Number(process.env['MILLION_ROWS'] || 1_000_000);
/** Number of rows per page of a list, as in rowsPerPart of the console. */
const ROWS_PER_PART = 100_000;
const PRESSES = 40;
const BETWEEN_PRESSES_MS = 60;
const TIMEOUT_MS = 60_000;

interface Step {
  readonly name: string;
  take(page: Page): Promise<unknown>;
}

async function main(): Promise<number> {
  if (!hasBrowser) {
    process.stderr.write('Chromium not found. Set CHROMIUM to the path of its executable.\n');
    return 1;
  }
  const product = await startProduct({ infrastructure: 'own' });
  const browser = await launchBrowser();
  try {
    const { url, apiKey: user, postgres, admin } = product.access();
    const { own } = await makeReaders(product);
    process.stderr.write(`storing ${count} Contacts\n`);
    const at = { url, apiKey: user.apiKey, databaseUrl: postgres.url };
    await fillContacts(at, { count, owners: own });
    const { page, expectNoProblems } = await openVisit(browser, product);
    await page.goto('/records/Lead');
    await signIn(page, admin);
    await page.evaluate(watchFrames);
    for (const step of steps) await measure(page, step);
    expectNoProblems();
    return 0;
  } finally {
    await browser.close();
    await product.remove();
  }
}

const scroll = async (page: Page, key: string, presses: number): Promise<void> => {
  await page.getByRole('region', { name: 'Contacts' }).focus();
  for (let pressed = 0; pressed < presses; pressed += 1) {
    await page.keyboard.press(key, { delay: BETWEEN_PRESSES_MS });
  }
};
const sort = (name: string) => (page: Page) =>
  page.getByRole('columnheader', { name }).getByRole('button').click();
const search = (text: string) => async (page: Page) => {
  await page.getByRole('searchbox').fill(text);
  await page.waitForURL(text === '' ? (to) => !to.searchParams.has('q') : `**q=${text}**`);
};

/** The steps, run in order without reloading the page. */
const steps: readonly Step[] = [
  { name: 'first page', take: (page) => page.getByRole('link', { name: 'Contacts' }).click() },
  { name: `Page Down, ${PRESSES} times`, take: (page) => scroll(page, 'PageDown', PRESSES) },
  { name: 'End', take: (page) => scroll(page, 'End', 1) },
  ...(count > ROWS_PER_PART
    ? [
        {
          name: 'next 100,000',
          take: (page: Page) => page.getByRole('button', { name: 'Next page' }).click(),
        },
      ]
    : []),
  { name: 'sorted by name', take: sort('Name') },
  { name: 'sorted by name, descending', take: sort('Name') },
  { name: `Page Down, ${PRESSES} times`, take: (page) => scroll(page, 'PageDown', PRESSES) },
  { name: 'text filter, one row', take: search('Lastname4711') },
  { name: 'text filter, every row', take: search('Lastname') },
  { name: 'text filter, removed', take: search('') },
  { name: 'filtered by a condition', take: chooseCondition },
];

async function chooseCondition(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Filter' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Field or link' }).fill('first');
  await page.getByRole('option', { name: 'First name' }).click();
  await dialog.getByLabel('Operator').selectOption({ label: 'is' });
  await dialog.getByLabel('Value').fill('First42');
  await dialog.getByRole('button', { name: 'Apply' }).click();
}

const watchFrames = `
  window.longestGapMs = 0;
  window.unfinishedAt = 0;
  const areRowsThere = () =>
    document.querySelector('tbody a') !== null &&
    document.querySelector('table .mantine-Skeleton-root') === null;
  let before = performance.now();
  const look = (now) => {
    window.longestGapMs = Math.max(window.longestGapMs, now - before);
    before = now;
    if (!areRowsThere()) window.unfinishedAt = now;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  window.longestTaskMs = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries())
      window.longestTaskMs = Math.max(window.longestTaskMs, duration);
  }).observe({ entryTypes: ['longtask'] });
`;
const begin = 'window.longestGapMs = window.longestTaskMs = 0';
const end = 'window.takenAt = performance.now()';
const isAtRest = 'performance.now() - Math.max(window.unfinishedAt, window.takenAt) > 1000';
const figures =
  '[window.longestGapMs, Math.max(0, window.unfinishedAt - window.takenAt), window.longestTaskMs]';

async function measure(page: Page, { name, take }: Step): Promise<void> {
  await page.evaluate(begin);
  const responsesMs: number[] = [];
  const watch = (request: Request): void => {
    const isList = request.url().includes('/api/v1/Contact?');
    if (isList) responsesMs.push(Math.round(request.timing().responseEnd));
  };
  page.on('requestfinished', watch);
  await take(page);
  await page.evaluate(end);
  if (!(await becomesTrue(page, isAtRest, TIMEOUT_MS)))
    throw new Error(`${name}: the rows did not become visible within ${TIMEOUT_MS} ms`);
  page.off('requestfinished', watch);
  const [gapMs = 0, rowsMs = 0, taskMs = 0] = ((await page.evaluate(figures)) as number[]).map(
    Math.round,
  );
  const slowest = Math.max(0, ...responsesMs);
  process.stdout.write(
    `${name}: rows after ${rowsMs} ms; ${responsesMs.length} responses, the slowest ${slowest} ms; longest gap between frames ${gapMs} ms, longest task ${taskMs} ms\n`,
  );
}

process.exitCode = await main();
