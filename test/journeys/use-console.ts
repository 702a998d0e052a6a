import type { Browser, Page } from '@playwright/test';
import { afterAll, beforeAll } from 'vitest';
import { type ApiClient, createApiClient } from '../support/api-client.ts';
import { withPassword } from '../support/credentials.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';
import { type Subscriber, startSubscriber } from '../support/receivers/subscriber.ts';
import {
  expectPage,
  launchBrowser,
  openVisit,
  signIn,
  type Visit,
  type VisitOptions,
} from './browser.ts';

export type ConsoleStand = ReturnType<typeof useConsole>;

/** A product, a receiver of its webhooks, and a browser, for all tests of a file. */
export function useConsole() {
  let product: StartedProduct;
  let browser: Browser;
  let receiver: Subscriber;
  let api: ApiClient;
  const visits: Visit[] = [];

  beforeAll(async () => {
    receiver = await startSubscriber();
    const env = { WEBHOOK_ALLOWED_ADDRESSES: receiver.address, WEBHOOK_QUEUE_INTERVAL: '1s' };
    [product, browser] = await Promise.all([startProduct({ env }), launchBrowser()]);
    api = createApiClient(product.url, withPassword(product.access().admin));
  });

  afterAll(async () => {
    for (const visit of visits) await visit.close();
    api?.close();
    await browser?.close();
    await receiver?.close();
    await product?.remove();
  });

  /** Nobody is signed in. */
  async function open(path: string, options?: VisitOptions): Promise<Visit> {
    const opened = await openVisit(browser, product, options);
    visits.push(opened);
    await opened.page.goto(path);
    return opened;
  }

  return {
    product: () => product,
    receiver: () => receiver,
    /** The API as an administrator sees it. */
    api: () => api,
    open,
    /** Signed in as the administrator. */
    async visit(path: string, options?: VisitOptions): Promise<Visit> {
      const opened = await open(path, options);
      await signIn(opened.page, product.access().admin);
      return opened;
    },
  };
}

export async function expectHeading(page: Page, name: string): Promise<void> {
  await expectPage(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible();
}
