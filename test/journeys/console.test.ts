import type { Browser, Page } from '@playwright/test';
import { expect as expectPage } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApiClient, recordIn } from '../support/api-client.ts';
import { withPassword } from '../support/credentials.ts';
import { type StartedProduct, startProduct } from '../support/product.ts';
import {
  expectAccessible,
  hasBrowser,
  launchBrowser,
  openVisit,
  signIn,
  type Visit,
  type VisitOptions,
} from './browser.ts';

const title = hasBrowser ? 'the console' : 'the console (skipped: there is no browser)';

describe.skipIf(!hasBrowser)(title, () => {
  let product: StartedProduct;
  let browser: Browser;
  const visits: Visit[] = [];

  beforeAll(async () => {
    [product, browser] = await Promise.all([startProduct(), launchBrowser()]);
  });

  afterAll(async () => {
    for (const visit of visits) await visit.close();
    await browser?.close();
    await product?.remove();
  });

  const admin = () => createApiClient(product.url, withPassword(product.access().admin));

  async function visit(path: string, options?: VisitOptions): Promise<Visit> {
    const opened = await openVisit(browser, product, options);
    visits.push(opened);
    await opened.page.goto(path);
    await signIn(opened.page, product.access().admin);
    return opened;
  }

  const heading = (page: Page, name: string | RegExp) =>
    page.getByRole('heading', { level: 1, name });

  it('tells a wrong password, and leads back to the page that was asked for', async () => {
    const opened = await openVisit(browser, product, { expectedStatuses: [401] });
    visits.push(opened);
    const { page } = opened;
    await page.goto('/records/Contact');
    await page.getByLabel('User name').fill('admin');
    await page.getByLabel('Password', { exact: true }).fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expectPage(page.getByRole('alert')).toContainText('Wrong user name or password');
    await page.getByRole('button', { name: 'Show password' }).click();
    await expectPage(page.getByLabel('Password', { exact: true })).toHaveAttribute('type', 'text');
    await signIn(page, product.access().admin);
    await expectPage(heading(page, 'Contacts')).toBeVisible();
    opened.expectNoTrouble();
  });

  it('keeps the session out of reach of scripts', async () => {
    const { page, context, expectNoTrouble } = await visit('/');
    await expectPage(heading(page, 'Accounts')).toBeVisible();
    const [cookie] = await context.cookies(`${product.url}/api`);
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/api' });
    const reachable = await page.evaluate(
      'JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }])',
    );
    expect(reachable).not.toContain(cookie?.value);
    expectNoTrouble();
  });

  it("creates, changes, deletes and brings back a record, with the server's errors at their fields", async () => {
    const { page, expectNoTrouble } = await visit('/records/Account', {
      expectedStatuses: [400, 404],
    });
    await page.getByRole('link', { name: 'New Account' }).click();
    await expectPage(heading(page, 'New Account')).toBeFocused();
    await page.getByLabel('Website').fill('https://acme.example');
    await page.getByRole('button', { name: 'Save' }).click();
    await expectPage(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveAttribute(
      'aria-invalid',
      'true',
    );
    await page
      .getByRole('textbox', { name: 'Name', exact: true })
      .fill('Acme <script>alert(1)</script>');
    await page.getByLabel('Type', { exact: true }).selectOption('Customer');
    await page.getByRole('button', { name: 'Save' }).click();
    await expectPage(heading(page, 'Acme <script>alert(1)</script>')).toBeVisible();
    await expectPage(page.getByText('Customer')).toBeVisible();

    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Acme');
    await page.getByRole('button', { name: 'Save' }).click();
    await expectPage(heading(page, 'Acme')).toBeVisible();

    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expectPage(heading(page, 'Accounts')).toBeVisible();
    await page.goBack();
    await page.getByRole('button', { name: 'Bring back' }).click();
    await expectPage(heading(page, 'Acme')).toBeVisible();
    expectNoTrouble();
  });

  it('keeps what was typed when the session ends meanwhile', async () => {
    const { page, context, expectNoTrouble } = await visit('/create/Account', {
      expectedStatuses: [401],
    });
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Typed before');
    await context.clearCookies();
    await page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel('Password', { exact: true }).fill(product.access().admin.password);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await expectPage(dialog).toBeHidden();
    await page.getByRole('button', { name: 'Save' }).click();
    await expectPage(heading(page, 'Typed before')).toBeVisible();
    expectNoTrouble();
  });

  it('says what of an address it does not understand, and shows the rest', async () => {
    const { page, expectNoTrouble } = await visit('/records/Account?sort=nothing&q=zzz&x=1');
    await expectPage(page.getByText('could not be understood')).toContainText('sort, x');
    await expectPage(page.getByText('Nothing matches')).toBeVisible();
    expect(new URL(page.url()).search).toBe('?q=zzz');
    expectNoTrouble();
  });

  it('is used with the keyboard alone', async () => {
    recordIn(await admin().post('/Contact', { lastName: 'Keyboard' }));
    const { page, expectNoTrouble } = await visit('/records/Account');
    await expectPage(heading(page, 'Accounts')).toBeVisible();
    await page.keyboard.press('?');
    await expectPage(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await expectPage(page.getByRole('searchbox')).toBeFocused();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('Keyboard');
    await expectPage(page.getByText('Contact', { exact: true })).toBeVisible();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expectPage(heading(page, 'Keyboard')).toBeFocused();
    expectNoTrouble();
  });

  it.each(['light', 'dark'] as const)('has no fault that axe finds, %s', async (colorScheme) => {
    const { id } = recordIn(
      await admin().post('/Account', { name: `Seen ${colorScheme}`, type: 'Customer' }),
    );
    const anonymous = await openVisit(browser, product, { colorScheme });
    visits.push(anonymous);
    await anonymous.page.goto('/');
    await anonymous.page.getByLabel('User name').waitFor();
    await expectAccessible(anonymous.page);
    const { page, expectNoTrouble } = await visit('/', { colorScheme });
    for (const path of [
      '/records/Account',
      '/records/Case',
      '/create/Opportunity',
      `/records/Account/${id}`,
      `/records/Account/${id}?mode=edit`,
    ]) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      await expectAccessible(page);
    }
    expectNoTrouble();
  });

  it('fits on 360 pixels', async () => {
    const { page, expectNoTrouble } = await visit('/records/Account', { width: 360 });
    await expectPage(heading(page, 'Accounts')).toBeVisible();
    const overflow = await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    expect(overflow).toBe(0);
    await page.getByRole('button', { name: 'Show or hide navigation' }).click();
    await page.getByRole('link', { name: 'Contacts' }).click();
    await expectPage(heading(page, 'Contacts')).toBeVisible();
    expectNoTrouble();
  });

  it('speaks German', async () => {
    const { page, expectNoTrouble } = await visit('/records/Account');
    await page.getByRole('button', { name: 'Account of admin' }).click();
    await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
    await expectPage(page.getByRole('button', { name: 'Spalten' })).toBeVisible();
    expect(await page.evaluate('document.documentElement.lang')).toBe('de');
    expectNoTrouble();
  });
});
