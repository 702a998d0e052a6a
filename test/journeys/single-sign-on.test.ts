import type { Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { choosePorts } from '../../infra/local/processes/free-port.ts';
import {
  clientSettings,
  type StartedProvider,
  startProvider,
} from '../support/single-sign-on/start-provider.ts';
import { expectAccessible, expectPage, hasBrowser, signIn, withSkipReason } from './browser.ts';
import { expectHeading, expectNarrow, useConsole } from './use-console.ts';

const { port } = await choosePorts(['port'], {});

describe.skipIf(!hasBrowser)(withSkipReason('single sign-on in the console'), () => {
  const fixture = useConsole({ OIDC_ALLOWED_ADDRESSES: `127.0.0.1:${port}` });
  let provider: StartedProvider;

  beforeAll(async () => {
    provider = await startProvider(port, fixture.product().url);
  });

  afterAll(async () => provider?.stop());

  /** Signs in on the page of the provider. */
  async function continueAs(page: Page, login: string): Promise<void> {
    await page.getByLabel('Login', { exact: true }).fill(login);
    await page.getByRole('button', { name: 'Continue' }).click();
  }

  it('is set up by an administrator, who tests the settings', async () => {
    const { page } = await fixture.visit('/system?tab=signIn');
    await expectPage(page.getByText('No providers')).toBeVisible();
    await page.getByRole('button', { name: 'Add provider' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add provider' });
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Example login');
    await dialog.getByRole('textbox', { name: 'Issuer' }).fill('nonsense');
    await dialog.getByRole('textbox', { name: 'Client ID' }).fill(clientSettings.clientId);
    await dialog.getByLabel('Client secret', { exact: true }).fill(clientSettings.clientSecret);
    await dialog.getByLabel('Claim with the groups').fill('groups');
    await dialog.getByRole('button', { name: 'Add group' }).click();
    await dialog.getByRole('textbox', { name: 'Group', exact: true }).fill('sales');
    await dialog.getByLabel('Create a user at the first sign-in').check();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expectPage(dialog.getByText(/issuer must be an address/).first()).toBeVisible();
    await dialog.getByRole('textbox', { name: 'Issuer' }).fill(provider.issuer);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expectPage(dialog).toBeHidden();
    await expectPage(page.getByRole('table', { name: 'Single sign-on' })).toContainText('On');
    await expectNarrow(page);
    await expectAccessible(page);

    await provider.control({ claims: { tess: { groups: ['sales'], email: 't@example.com' } } });
    await page.getByRole('button', { name: 'Test the settings: Example login' }).click();
    await continueAs(page, 'tess');
    await expectHeading(page, 'The settings work');
    const claims = page.getByRole('table', { name: 'Claims of the provider' });
    await expectPage(claims).toContainText('tess');
    await expectNarrow(page);
    await expectAccessible(page);
    expect(new URL(page.url()).search).toBe('');
    await page.getByRole('link', { name: 'Back to the settings' }).click();
    await expectPage(page.getByRole('table', { name: 'Single sign-on' })).toBeVisible();
  });

  it('gets a SCIM token, which is shown once, replaced and removed', async () => {
    const { page } = await fixture.visit('/system?tab=signIn');
    await page.getByRole('button', { name: 'SCIM: Example login' }).click();
    const dialog = page.getByRole('dialog', { name: 'SCIM: Example login' });
    await expectPage(dialog).toContainText(`${fixture.product().url}/api/scim/v2`);
    await dialog.getByRole('button', { name: 'Create token' }).click();
    const created = dialog.getByRole('status');
    await expectPage(created).toContainText('shown only once');
    const first = String(await created.locator('code').textContent());
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    await expectAccessible(page);
    await expectNarrow(page);
    await dialog.getByRole('button', { name: 'Replace token' }).click();
    const question = page.getByRole('dialog', { name: 'Replace the token?' });
    await question.getByRole('textbox').fill('Example login');
    await expectAccessible(page);
    await question.getByRole('button', { name: 'Replace token' }).click();
    await expectPage(question).toBeHidden();
    await expectPage(created.locator('code')).not.toHaveText(first);
    await dialog.getByRole('button', { name: 'Remove token' }).click();
    const last = page.getByRole('dialog', { name: 'Remove the token?' });
    await last.getByRole('textbox').fill('Example login');
    await last.getByRole('button', { name: 'Remove token' }).click();
    await expectPage(dialog.getByRole('button', { name: 'Create token' })).toBeVisible();
    await expectPage(created).toBeHidden();
  });

  it('signs a new user in, who returns to the requested page', async () => {
    const { page } = await fixture.open('/profile');
    await expectPage(
      page.getByRole('button', { name: 'Sign in with Example login' }),
    ).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Sign in with Example login' }).click();
    await continueAs(page, 'ann');
    await expectHeading(page, 'Profile');
    await expectPage(page.getByRole('button', { name: 'Account menu for ann' })).toBeVisible();
    const accounts = page.getByRole('table', { name: 'Linked accounts' });
    await expectPage(accounts).toContainText(provider.issuer);
    await page.reload();
    await expectHeading(page, 'Profile');
  });

  it('reports a sign-in that the settings do not allow, and links the account of an existing user', async () => {
    const { user } = fixture.product().access();
    const { page } = await fixture.open('/profile', { expectedStatuses: [400, 401, 403] });
    await page.getByRole('button', { name: 'Sign in with Example login' }).click();
    await continueAs(page, user.userName);
    await expectHeading(page, 'The sign-in did not succeed');
    await expectPage(page.getByRole('alert')).toContainText('link the account in your profile');
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Back to the sign-in' }).click();
    await signIn(page, user);
    await page.getByRole('button', { name: 'Link Example login' }).click();
    const dialog = page.getByRole('dialog', { name: 'Link Example login' });
    await dialog.getByLabel('Current password', { exact: true }).fill(user.password);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Link Example login' }).click();
    const accounts = page.getByRole('table', { name: 'Linked accounts' });
    await expectPage(accounts).toContainText(user.userName);
    await expectAccessible(page);
    await accounts.getByRole('button', { name: /^Remove link/ }).click();
    await expectPage(page.getByText('No linked accounts.')).toBeVisible();
  });

  it('continues in a new tab after the session has ended, and keeps unsaved input', async () => {
    const { page, context } = await fixture.open('/profile', { expectedStatuses: [401] });
    await page.getByRole('button', { name: 'Sign in with Example login' }).click();
    await continueAs(page, 'ann');
    await expectHeading(page, 'Profile');
    await page.getByLabel('Current password', { exact: true }).fill('typed before');
    await page.getByLabel('New password', { exact: true }).fill('a new password');
    await page.getByLabel('Repeat new password').fill('a new password');
    await context.clearCookies({ name: 'annals-session' });
    const change = page.getByRole('button', { name: 'Change password' });
    // The page may have noticed the end of the session before, which opens the dialog over the button.
    await change.click({ timeout: 2_000 }).catch(() => undefined);
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    const opened = context.waitForEvent('page');
    await dialog.getByRole('button', { name: 'Sign in with Example login' }).click();
    const tab = await opened;
    // The provider still knows the browser.
    await tab.getByRole('button', { name: 'Account menu for ann' }).waitFor();
    await tab.close();
    await page.bringToFront();
    await page.evaluate('window.dispatchEvent(new Event("visibilitychange"))');
    await expectPage(dialog).toBeHidden();
    await expectPage(page.getByLabel('Current password', { exact: true })).toHaveValue(
      'typed before',
    );
  });
});
