import { describe, it } from 'vitest';
import { expectAccessible, expectPage } from './browser.ts';
import { type ConsoleFixture, expectNarrow } from './use-console.ts';

export function describeFindings(fixture: ConsoleFixture): void {
  describe('a warning of the system page', () => {
    it('is acknowledged with a reason, no longer shows in the header, and counts again after a withdrawal', async () => {
      const { page, expectNoProblems } = await fixture.visit('/system');
      const warning = page
        .getByRole('listitem')
        .filter({ hasText: 'Kafka runs on only one broker' });
      await warning.getByRole('button', { name: /^Acknowledge: / }).click({ timeout: 60_000 });
      const dialog = page.getByRole('dialog', { name: 'Acknowledge this warning?' });
      await expectPage(dialog.getByRole('button', { name: 'Acknowledge' })).toBeDisabled();
      await dialog.getByLabel('Reason').fill('One <b>machine</b> is enough here.');
      await expectAccessible(page);
      await expectNarrow(page);
      await dialog.getByRole('button', { name: 'Acknowledge' }).click();
      await expectPage(dialog).toBeHidden();

      await page.getByText('1 acknowledged warning').click();
      await expectPage(warning).toContainText('One <b>machine</b> is enough here.');
      await expectPage(page.getByRole('link', { name: /^Health: .*Kafka/ })).toBeHidden();
      await expectAccessible(page);
      await expectNarrow(page);
      await warning.getByRole('button', { name: /^Withdraw acknowledgement: / }).click();
      await expectPage(warning.getByRole('button', { name: /^Acknowledge: / })).toBeVisible();
      await expectPage(page.getByRole('link', { name: /^Health: .*Kafka/ })).toBeVisible();
      expectNoProblems();
    });
  });
}
