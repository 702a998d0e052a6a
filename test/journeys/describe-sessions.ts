import { describe, expect, it } from 'vitest';
import { expectPage, signIn } from './browser.ts';
import { type ConsoleFixture, expectHeading } from './use-console.ts';

export function describeSessions(fixture: ConsoleFixture): void {
  describe('a console session', () => {
    it('reports a wrong password and returns to the requested page after the sign-in', async () => {
      const opened = await fixture.open('/records/Contact', { expectedStatuses: [401] });
      const { page } = opened;
      await page.getByLabel('User name').fill('admin');
      await page.getByLabel('Password', { exact: true }).fill('wrong');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await expectPage(page.getByRole('alert')).toContainText('Wrong user name or password');
      await page.getByRole('button', { name: 'Show password' }).click();
      await expectPage(page.getByLabel('Password', { exact: true })).toHaveAttribute(
        'type',
        'text',
      );
      await signIn(page, fixture.product().access().admin);
      await expectHeading(page, 'Contacts');
      opened.expectNoProblems();
    });

    it('is not accessible to scripts', async () => {
      const { page, context, expectNoProblems } = await fixture.visit('/');
      await expectHeading(page, 'Overview');
      const [cookie] = await context.cookies(`${fixture.product().url}/api`);
      expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' });
      const reachable = await page.evaluate(
        'JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }])',
      );
      expect(reachable).not.toContain(cookie?.value);
      expectNoProblems();
    });

    it('keeps unsaved input when it ends', async () => {
      const { page, context, expectNoProblems } = await fixture.visit('/create/Account', {
        expectedStatuses: [401],
      });
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Typed before');
      await context.clearCookies();
      // A request in the background may have opened the dialog already.
      await page.getByRole('button', { name: 'Save' }).dispatchEvent('click');
      const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
      await dialog
        .getByLabel('Password', { exact: true })
        .fill(fixture.product().access().admin.password);
      await dialog.getByRole('button', { name: 'Sign in' }).click();
      await expectPage(dialog).toBeHidden();
      await page.getByRole('button', { name: 'Save' }).click();
      await expectHeading(page, 'Typed before');
      expectNoProblems();
    });

    it('requires a new sign-in in one tab after a sign-out in another', async () => {
      const { page, context } = await fixture.open('/records/Account', { expectedStatuses: [401] });
      await signIn(page, fixture.product().access().admin);
      const other = await context.newPage();
      await other.goto('/records/Contact');
      await other.getByRole('button', { name: 'Account menu for admin' }).click();
      await other.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
      await expectPage(other.getByRole('button', { name: 'Sign in' })).toBeVisible();
      await page.getByRole('link', { name: 'Leads' }).click();
      await expectPage(page.getByRole('dialog', { name: 'Your session has ended' })).toBeVisible();
    });
  });
}
