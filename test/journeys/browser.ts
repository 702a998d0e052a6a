import { existsSync } from 'node:fs';
import { AxeBuilder } from '@axe-core/playwright';
import {
  type Browser,
  type BrowserContext,
  chromium,
  expect as expectOf,
  type Page,
} from '@playwright/test';
import { expect } from 'vitest';
import type { StartedProduct } from '../support/harness/product.ts';

const program = process.env['CHROMIUM'] || '/usr/bin/chromium';

/** Of a page, which has this long to become so: the machine may have other work. */
export const expectPage = expectOf.configure({ timeout: 15_000 });

/** Without a browser there are no journeys. */
export const hasBrowser = existsSync(program);

/** The title of a file of journeys: one that is skipped says why. */
export const titled = (title: string): string =>
  hasBrowser ? title : `${title} (skipped: there is no browser)`;

export async function launchBrowser(): Promise<Browser> {
  // Whoever runs the tests as root, in a container, has no other sandbox either.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath: program, args });
}

/** A page of the console, and what must not happen in it. */
export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Fails if anything of it happened since the last call: errors, violations, requests to others. */
  expectNoTrouble(): void;
  close(): Promise<void>;
}

const nothingStored = { cookies: [], origins: [] };

export type Session = Awaited<ReturnType<BrowserContext['storageState']>>;

export interface VisitOptions {
  readonly width?: number;
  /** The session with which the pages are opened. */
  readonly signedIn?: Session;
  /** Of answers that a journey wants: browsers report each in the console. */
  readonly expectedStatuses?: readonly number[];
}

export async function openVisit(
  browser: Browser,
  product: Pick<StartedProduct, 'url'>,
  options: VisitOptions = {},
): Promise<Visit> {
  const context = await openContext(browser, product);
  const visit = await visitIn(context, product, options);
  return { ...visit, close: async () => context.close() };
}

/** Opens a context whose pages share a cache. */
export async function openContext(
  browser: Browser,
  { url }: Pick<StartedProduct, 'url'>,
): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: url,
    colorScheme: 'light',
    locale: 'en-US',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  context.setDefaultTimeout(20_000);
  return context;
}

/** As in a browser that nobody has used before, but for its cache and who is signed in. */
export async function visitIn(
  context: BrowserContext,
  product: Pick<StartedProduct, 'url'>,
  { width = 1280, signedIn, expectedStatuses = [] }: VisitOptions = {},
): Promise<Visit> {
  await context.setStorageState(signedIn ?? nothingStored);
  const page = await context.newPage();
  await page.setViewportSize({ width, height: 800 });
  const troubles: string[] = [];
  page.on('pageerror', (error) => troubles.push(`error: ${error.message}`));
  page.on('console', (message) => {
    const isExpected = expectedStatuses.some((status) => message.text().includes(` ${status} `));
    if (message.type() === 'error' && !isExpected) troubles.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    const isOwn = request.url().startsWith(product.url) || /^(?:data|blob):/.test(request.url());
    if (!isOwn) troubles.push(`request: ${request.url()}`);
  });
  return {
    page,
    context,
    expectNoTrouble: () => expect(troubles.splice(0)).toEqual([]),
    async close() {
      for (const open of context.pages()) await open.close();
    },
  };
}

export async function signIn(
  page: Page,
  { userName, password }: { readonly userName: string; readonly password: string },
): Promise<void> {
  await page.getByLabel('User name').fill(userName);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation').waitFor({ state: 'attached' });
}

const SOON_MS = 15_000;

/** Whether an expression comes true in the page, for two frames, within so many milliseconds. Without the pauses of a poll. */
export async function comesTrue(
  page: Page,
  expression: string,
  mostMs = SOON_MS,
): Promise<boolean> {
  return page.evaluate<boolean>(`new Promise((tell) => {
    const until = performance.now() + ${mostMs};
    let frames = 0;
    const look = () => {
      frames = ${expression} ? frames + 1 : 0;
      if (frames === 2) tell(true);
      else if (performance.now() > until) tell(false);
      else requestAnimationFrame(look);
    };
    look();
  })`);
}

/** An element that is still fading has another contrast than a reader sees. Endless animations are no fading. */
const nothingFades = `document.getAnimations().every(
  ({ effect, playState }) =>
    playState !== 'running' || effect?.getComputedTiming().endTime === Infinity,
)`;

const everyRule = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Rules whose result depends on the theme. */
const rulesOfColours = ['color-contrast', 'link-in-text-block'];

/** WCAG 2.2 AA, as far as a program sees it, in both themes: it is the system's that the page follows. */
export async function expectAccessible(page: Page): Promise<void> {
  await expectNoViolation(page, 'light', (axe) => axe.withTags(everyRule));
  await expectNoViolation(page, 'dark', (axe) => axe.withRules(rulesOfColours));
  await page.emulateMedia({ colorScheme: 'light' });
}

async function expectNoViolation(
  page: Page,
  colorScheme: 'dark' | 'light',
  choose: (axe: AxeBuilder) => AxeBuilder,
): Promise<void> {
  await page.emulateMedia({ colorScheme });
  const isIn = `document.documentElement.dataset.mantineColorScheme === '${colorScheme}'`;
  expect(await comesTrue(page, `${isIn} && ${nothingFades}`), `at rest, ${colorScheme}`).toBe(true);
  // The other mode opens a page for each result, for frames of other origins; there are none.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  const { violations } = await choose(axe).analyze();
  const found = violations.map(({ id, help, nodes }) => ({
    id,
    help,
    nodes: nodes.slice(0, 4).map(({ html, failureSummary }) => `${html} ${failureSummary}`),
  }));
  expect(found, colorScheme).toEqual([]);
}
