import type { Browser, BrowserContext, Page } from '@playwright/test';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { type ApiClient, createApiClient } from '../support/api-client.ts';
import { withPassword } from '../support/credentials.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';
import { type Subscriber, startSubscriber } from '../support/receivers/subscriber.ts';
import {
  becomesTrue,
  expectPage,
  launchBrowser,
  openContext,
  openVisit,
  type Session,
  signIn,
  type Visit,
  type VisitOptions,
  visitIn,
} from './browser.ts';

export type ConsoleFixture = ReturnType<typeof useConsole>;

/**
 * Starts a product, a webhook receiver and a browser, shared by all tests of a file because starting is slow. `settings`
 * are added to the product's environment.
 */
export function useConsole(settings: NodeJS.ProcessEnv = {}) {
  let product: StartedProduct;
  let browser: Browser;
  let receiver: Subscriber;
  let api: ApiClient;
  let session: Session;
  const visits: Visit[] = [];
  /**
   * One context with the administrator's session and one without: reusing their caches saves more time than most
   * journeys take.
   */
  let contexts: Readonly<Record<'known' | 'unknown', BrowserContext>>;

  beforeAll(async () => {
    receiver = await startSubscriber();
    const env = {
      WEBHOOK_ALLOWED_ADDRESSES: receiver.address,
      WEBHOOK_QUEUE_INTERVAL: '1s',
      API_CUSTOM_PREFIX: 'taken',
      ...settings,
    };
    [product, browser] = await Promise.all([startProduct({ env }), launchBrowser()]);
    api = createApiClient(product.url, withPassword(product.access().admin));
    contexts = {
      known: await openContext(browser, product),
      unknown: await openContext(browser, product),
    };
    const first = await open('/');
    await signIn(first.page, product.access().admin);
    session = await first.context.storageState();
    await closeVisits();
  });

  // Open pages would keep polling the product.
  const closeVisits = async (): Promise<void> => {
    for (const visit of visits.splice(0)) await visit.close();
  };
  afterEach(closeVisits);

  afterAll(async () => {
    api?.close();
    await browser?.close();
    await receiver?.close();
    await product?.remove();
  });

  /** Opens a page, without a session unless `signedIn` is given. */
  async function open(path: string, options?: VisitOptions): Promise<Visit> {
    const context = contexts[options?.signedIn === undefined ? 'unknown' : 'known'];
    const opened =
      context.pages().length === 0
        ? await visitIn(context, product, options)
        : await openVisit(browser, product, options);
    visits.push(opened);
    await opened.page.goto(path);
    return opened;
  }

  return {
    product: () => product,
    receiver: () => receiver,
    /** The API with an administrator's credentials. */
    api: () => api,
    open,
    /**
     * Opens a page in the administrator's session, which all journeys share. Journeys that end their session must use
     * `open` and sign in.
     */
    visit: (path: string, options?: VisitOptions): Promise<Visit> =>
      open(path, { ...options, signedIn: session }),
  };
}

export async function expectHeading(page: Page, name: string): Promise<void> {
  await expectPage(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible();
}

/** Chooses an action of the menu above a list that contains the less frequent ones. */
export async function chooseMore(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name }).click();
}

const fits =
  'document.documentElement.scrollWidth === document.documentElement.clientWidth && innerWidth === 360';

/** Asserts that the page, and the selected elements in it, fit a 360-pixel screen without horizontal scrolling. */
export async function expectNarrow(page: Page, selector = 'main'): Promise<void> {
  const wide = page.viewportSize() ?? { width: 1280, height: 800 };
  await page.setViewportSize({ ...wide, width: 360 });
  expect(await becomesTrue(page, fits), `fits: ${page.url()}`).toBe(true);
  const tooWide = await page.evaluate(`[...document.querySelectorAll('${selector}')]
    .filter((element) => element.getBoundingClientRect().right > innerWidth)
    .map((element) => element.outerHTML.slice(0, 200))`);
  expect(tooWide, `fits: ${page.url()}`).toEqual([]);
  await page.setViewportSize(wide);
}
