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

/** Assertions on pages, with a generous timeout for busy machines. */
export const expectPage = expectOf.configure({ timeout: 15_000 });

export const hasBrowser = existsSync(program);

/** Adds the reason to the title of a test file that is skipped without a browser. */
export const withSkipReason = (title: string): string =>
  hasBrowser ? title : `${title} (skipped: no browser)`;

export async function launchBrowser(): Promise<Browser> {
  // Chromium's sandbox does not work as root; tests run as root only in containers.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath: program, args });
}

/** A page of the console with the problems it has caused. */
export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Fails after page errors, console errors or requests to other origins since the last call. */
  expectNoProblems(): void;
  close(): Promise<void>;
}

const emptyStorage = { cookies: [], origins: [] };

export type Session = Awaited<ReturnType<BrowserContext['storageState']>>;

export interface VisitOptions {
  readonly width?: number;
  /** The session in which the page opens. */
  readonly signedIn?: Session;
  /** Error statuses that a journey causes on purpose, which browsers report in the console. */
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

/** Opens a browser context whose pages share a cache. */
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

/** Opens a page with clean storage, except for the cache and the given session. */
export async function visitIn(
  context: BrowserContext,
  product: Pick<StartedProduct, 'url'>,
  { width = 1280, signedIn, expectedStatuses = [] }: VisitOptions = {},
): Promise<Visit> {
  await context.setStorageState(signedIn ?? emptyStorage);
  const page = await context.newPage();
  await page.setViewportSize({ width, height: 800 });
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
  page.on('console', (message) => {
    const isExpected = expectedStatuses.some((status) => message.text().includes(` ${status} `));
    if (message.type() === 'error' && !isExpected) problems.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    const isOwn = request.url().startsWith(product.url) || /^(?:data|blob):/.test(request.url());
    if (!isOwn) problems.push(`request: ${request.url()}`);
  });
  return {
    page,
    context,
    expectNoProblems: () => expect(problems.splice(0)).toEqual([]),
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
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('navigation').waitFor({ state: 'attached' });
}

const SOON_MS = 15_000;

/**
 * Waits until an expression is true in the page for two consecutive frames; false after the timeout. Checks every
 * frame, without polling pauses.
 */
export async function becomesTrue(
  page: Page,
  expression: string,
  timeoutMs = SOON_MS,
): Promise<boolean> {
  return page.evaluate<boolean>(`new Promise((resolve) => {
    const until = performance.now() + ${timeoutMs};
    let frames = 0;
    const look = () => {
      frames = ${expression} ? frames + 1 : 0;
      if (frames === 2) resolve(true);
      else if (performance.now() > until) resolve(false);
      else requestAnimationFrame(look);
    };
    look();
  })`);
}

/** Elements that are still fading have a wrong contrast. Endless animations are not fades. */
const noFade = `document.getAnimations().every(
  ({ effect, playState }) =>
    playState !== 'running' || effect?.getComputedTiming().endTime === Infinity,
)`;

const everyRule = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Rules whose result depends on the theme. */
const rulesOfColours = ['color-contrast', 'link-in-text-block'];

/**
 * Asserts the automatically checkable rules of WCAG 2.2 AA, in light and dark mode. The page must follow the system
 * theme.
 */
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
  expect(
    await becomesTrue(page, `${isIn} && ${noFade}`),
    `the page settles in ${colorScheme} mode`,
  ).toBe(true);
  // The default mode opens another page per result, which only cross-origin frames need.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  const { violations } = await choose(axe).analyze();
  const found = violations.map(({ id, help, nodes }) => ({
    id,
    help,
    nodes: nodes.slice(0, 4).map(({ html, failureSummary }) => `${html} ${failureSummary}`),
  }));
  expect(found, colorScheme).toEqual([]);
}
