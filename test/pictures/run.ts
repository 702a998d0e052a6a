// npm run pictures: takes the screenshots in docs/pictures from a new installation with sample records.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expectPage, hasBrowser, launchBrowser, openVisit, signIn } from '../journeys/browser.ts';
import { createApiClient } from '../support/api-client.ts';
import { withPassword } from '../support/credentials.ts';
import { startProduct } from '../support/harness/product.ts';
import { startSubscriber } from '../support/receivers/subscriber.ts';
import { type ExamplePlaces, fillExample } from './fill-example.ts';

interface Picture {
  readonly name: string;
  readonly path: string;
  readonly isAlsoDark?: boolean;
}

const directory = join(import.meta.dirname, '..', '..', 'docs', 'pictures');
const columns = 'name,phoneNumber,type,industry,assignedUser';
const MAX_BYTES = 150 * 1024;
/** If set, also takes screenshots at this width and in dark mode, for review only: do not commit them. */
const otherWidth = Number(process.env['PICTURES_WIDTH']) || undefined;

process.exitCode = await main();

async function main(): Promise<number> {
  if (!hasBrowser) {
    process.stderr.write('Chromium not found. Set CHROMIUM to the path of its executable.\n');
    return 1;
  }
  const receiver = await startSubscriber();
  const env = {
    WEBHOOK_ALLOWED_ADDRESSES: receiver.address,
    WEBHOOK_QUEUE_INTERVAL: '1s',
    WEBHOOK_FAIL_ATTEMPT_PERIOD: '1s',
    WEBHOOK_MAX_ATTEMPT_NUMBER: '2',
  };
  const product = await startProduct({ infrastructure: 'own', env });
  const browser = await launchBrowser();
  const api = createApiClient(product.url, withPassword(product.access().admin));
  try {
    const { url: databaseUrl } = product.access().postgres;
    const places = await fillExample({ api, receiver, databaseUrl });
    const { page, expectNoProblems } = await openVisit(browser, product);
    await page.goto('/');
    await signIn(page, product.access().admin);
    mkdirSync(directory, { recursive: true });
    let isTooLarge = false;
    for (const picture of picturesOf(places)) {
      for (const bytes of await take(page, picture)) isTooLarge ||= bytes > MAX_BYTES;
    }
    expectNoProblems();
    return isTooLarge ? 1 : 0;
  } finally {
    api.close();
    await browser.close();
    await product.remove();
    await receiver.close();
  }
}

function picturesOf({ account, webhook, role }: ExamplePlaces): readonly Picture[] {
  return [
    { name: 'overview', path: '/overview', isAlsoDark: true },
    { name: 'records', path: `/records/Account?columns=${columns}` },
    { name: 'record', path: `/records/Account/${account}` },
    { name: 'board', path: '/board/Opportunity' },
    { name: 'time', path: `/records/Account/${account}?tab=time` },
    { name: 'webhook', path: `/webhooks/${webhook}`, isAlsoDark: true },
    { name: 'role', path: `/people/roles/${role}` },
    { name: 'diagram', path: '/definitions?tab=diagram&focus=Account' },
  ];
}

/** Returns the size of each file in bytes. */
async function take(
  page: Page,
  { name, path, isAlsoDark = false }: Picture,
): Promise<readonly number[]> {
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await expectPage(page.locator('.mantine-Skeleton-root')).toHaveCount(0);
  const sizes = [await write(page, `${name}.png`)];
  if (isAlsoDark || otherWidth !== undefined) {
    await page.emulateMedia({ colorScheme: 'dark' });
    sizes.push(await write(page, `${name}-dark.png`));
    await page.emulateMedia({ colorScheme: 'light' });
  }
  if (otherWidth !== undefined) {
    const wide = page.viewportSize() ?? { width: 1280, height: 800 };
    await page.setViewportSize({ ...wide, width: otherWidth });
    sizes.push(await write(page, `${name}-${otherWidth}.png`));
    await page.setViewportSize(wide);
  }
  return sizes;
}

async function write(page: Page, file: string): Promise<number> {
  const picture = await page.screenshot({ animations: 'disabled' });
  writeFileSync(join(directory, file), picture);
  process.stdout.write(`docs/pictures/${file}: ${Math.ceil(picture.length / 1024)} KiB\n`);
  return picture.length;
}
