import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordIn } from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import {
  emailIn,
  type MailServer,
  requestIdIn,
  startMailServer,
} from '../support/receivers/start-mail-server.ts';
import { expectAccessible, expectPage, hasBrowser, signIn, withSkipReason } from './browser.ts';
import { expectHeading, expectNarrow, useConsole } from './use-console.ts';

describe.skipIf(!hasBrowser)(withSkipReason('e-mail and the console'), () => {
  let server: MailServer;
  const settings: NodeJS.ProcessEnv = {};

  // Runs before the product starts.
  beforeAll(async () => {
    server = await startMailServer();
    Object.assign(settings, {
      SMTP_URL: `smtp://127.0.0.1:${server.port}`,
      MAIL_FROM: 'annals@example.com',
      PUBLIC_URL: 'https://annals.example.com',
    });
  });
  const fixture = useConsole(settings);
  afterAll(async () => server?.close());

  const emailTo = (address: string, nth?: number) => emailIn(server, address, nth);

  it('replaces a forgotten password with the link in an e-mail', async () => {
    const emailAddress = 'forgetful@example.com';
    const user = { userName: 'forgetful', lastName: 'Forgetful', emailAddress };
    recordIn(await fixture.api().post('/User', { ...user, password: 'forgotten password' }));
    const { page, expectNoProblems } = await fixture.open('/', {
      expectedStatuses: [401, 403, 404],
    });
    await page.getByRole('button', { name: 'Forgot your password?' }).click();
    await expectHeading(page, 'Forgot your password?');
    await expectAccessible(page);
    await expectNarrow(page);
    await page.getByRole('button', { name: 'Send link' }).click();
    await expectPage(page.getByText('This field is required.')).toHaveCount(2);
    await page.getByLabel('User name').fill('forgetful');
    await page.getByLabel('Email address').fill(emailAddress);
    await page.getByRole('button', { name: 'Send link' }).click();
    await expectPage(page.getByRole('status')).toContainText('you will receive an email');

    const path = `/change-password#${requestIdIn(await emailTo(emailAddress))}`;
    await page.goto(path);
    await expectHeading(page, 'Set a new password');
    await expectAccessible(page);
    await expectNarrow(page);
    await page.getByLabel('New password', { exact: true }).fill('123');
    await page.getByLabel('Repeat new password').fill('1234');
    await page.getByRole('button', { name: 'Change password' }).click();
    await expectPage(page.getByText('The two passwords differ.')).toBeVisible();
    await page.getByLabel('Repeat new password').fill('123');
    await page.getByRole('button', { name: 'Change password' }).click();
    await expectPage(page.getByRole('alert')).toContainText('Use at least 8 characters');
    const password = 'remembered password';
    await page.getByLabel('New password', { exact: true }).fill(password);
    await page.getByLabel('Repeat new password').fill(password);
    await page.getByRole('button', { name: 'Change password' }).click();
    await expectPage(page.getByText('Password changed')).toBeVisible();
    await page.getByRole('link', { name: 'Go to sign-in' }).click();
    await signIn(page, { userName: 'forgetful', password });
    await expectPage(
      page.getByRole('button', { name: 'Account menu for forgetful' }),
    ).toBeVisible();

    await page.goto(path);
    await page.reload();
    await page.getByLabel('New password', { exact: true }).fill('one more password');
    await page.getByLabel('Repeat new password').fill('one more password');
    await page.getByRole('button', { name: 'Change password' }).click();
    await expectPage(page.getByRole('alert')).toContainText('The link is invalid');
    expectNoProblems();
  });

  it('lets administrators send a test e-mail, a link to a user, and turn on e-mails about faults', async () => {
    const emailAddress = 'boss@example.com';
    const user = { userName: 'boss', lastName: 'Boss', type: 'admin', emailAddress };
    const { id } = recordIn(
      await fixture.api().post('/User', { ...user, password: 'password of the boss' }),
    );
    const { page, expectNoProblems } = await fixture.open('/system', { expectedStatuses: [401] });
    await signIn(page, { userName: 'boss', password: 'password of the boss' });
    await page.getByRole('button', { name: 'Send me a test email' }).click();
    const table = page.getByRole('table', { name: 'Email' });
    await expectPage(table.getByRole('row').filter({ hasText: 'boss' })).toContainText('Sent');
    expect((await emailTo(emailAddress)).raw).toContain('Subject: Test e-mail');
    await expectAccessible(page);
    await expectNarrow(page);

    await page.goto(`/people/users/${id}`);
    await page.getByRole('button', { name: 'Email a password link' }).click();
    await expectPage(page.getByText('The link is on its way.')).toBeVisible();
    requestIdIn(await emailTo(emailAddress, 2));

    await page.goto('/profile');
    await page.getByRole('switch', { name: 'Email me about faults' }).click();
    await eventually(async () => {
      const { body } = await fixture.api().get(`/Preferences/${id}`);
      expect(body).toMatchObject({ receiveFindingEmails: true });
    });
    expectNoProblems();
  });
});
