import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { listIn, recordIn } from '../support/api-client.ts';
import { expectAccessible, expectPage } from './browser.ts';
import { type ConsoleFixture, expectHeading, expectNarrow } from './use-console.ts';

export function describeWebhooks(fixture: ConsoleFixture): void {
  describe('webhooks', () => {
    it('are created, deliver a verifiable test, retry a failed delivery and reconcile their events', async () => {
      const { page, expectNoProblems } = await fixture.visit('/webhooks');
      await page.getByRole('button', { name: 'New webhook' }).click();
      await page.getByLabel('Event', { exact: false }).first().fill('Contact.cr');
      await page.getByRole('option', { name: 'Contact.create' }).click();
      await page.getByLabel('URL').fill('http://127.0.0.1:1/hook');
      await expectPage(page.getByText('its host is a loopback address')).toBeVisible();
      await expectPage(
        page.getByText('set WEBHOOK_ALLOWED_ADDRESSES=127.0.0.1:1 on the server'),
      ).toBeVisible();
      await page.getByLabel('URL').fill(fixture.receiver().url('/first'));
      await expectPage(page.getByText('Annals can send requests to this URL')).toBeVisible();
      const create = page.getByRole('button', { name: 'Create', exact: true });
      await create.click();
      await expectPage(
        page.getByText('Choose an API user, or explicitly choose no user.'),
      ).toBeVisible();
      const user = page.getByRole('combobox', { name: 'API user' });
      await user.click();
      await page.getByRole('option', { name: 'No user: sends all data' }).click();
      await expectPage(
        page.getByText('Requests contain every field of every record'),
      ).toBeVisible();
      await user.click();
      await page.getByRole('option', { name: 'api-key', exact: true }).click();
      await expectPage(page.getByText('Requests contain every field')).toBeHidden();
      await create.click();
      await expectHeading(page, 'Contact.create');
      await expectPage(page.getByText('API user: api-key')).toBeVisible();
      await page.getByRole('button', { name: 'Reveal secret' }).click();
      const secret = await page
        .getByText(/^[0-9a-f]{32,}$/)
        .first()
        .textContent();
      await page.getByRole('button', { name: 'Send test' }).click();
      await page.getByRole('tab', { name: 'Deliveries' }).click();
      await page.getByRole('button', { name: /^Details of/ }).click();
      const dialog = page.getByRole('dialog');
      await expectPage(dialog.getByText('delivered')).toBeVisible();
      await expectPage(dialog.getByText('Response: 200')).toBeVisible();
      const [request] = fixture.receiver().requests('/first');
      const signature = createHmac('sha256', secret ?? '')
        .update(request?.body ?? '')
        .digest('base64');
      expect(request?.headers['x-signature']).toBe(signature);
      await expectPage(dialog.getByText(signature, { exact: true })).toBeVisible();
      await page.keyboard.press('Escape');

      fixture.receiver().answer('/first', 500);
      await fixture.api().post('/Contact', { lastName: 'Fails first' });
      const row = page.getByRole('row').filter({ hasText: '500' });
      await expectPage(row).toBeVisible({ timeout: 20_000 });
      await expectPage(row.getByText('Next attempt in')).toBeVisible();
      await expectPage(row.getByRole('timer')).toContainText('min');
      await row.getByRole('button', { name: /^Details of/ }).click();
      await expectPage(dialog.getByRole('heading', { name: 'Attempt 1' })).toBeVisible();
      await expectPage(dialog.getByText('Response: 500')).toBeVisible();
      await expectPage(dialog.getByText('Fails first')).toBeVisible();
      await page.keyboard.press('Escape');
      fixture.receiver().answer('/first', 200);
      const before = fixture.receiver().requests('/first').length;
      await row.getByRole('button', { name: 'Retry' }).click();
      await expectPage(page.getByText('Retrying 1 batch')).toBeVisible();
      await expectPage
        .poll(() => fixture.receiver().requests('/first').length)
        .toBeGreaterThan(before);
      await expectPage(row).toHaveCount(0, { timeout: 30_000 });

      await page.getByRole('tab', { name: 'Overview' }).click();
      await page.getByRole('button', { name: 'Reconcile now' }).click();
      await expectPage(
        page.getByText(/^1 event matched = 1 enqueued .* All events are accounted for\.$/),
      ).toBeVisible();
      const account = page.getByRole('table', { name: 'Event reconciliation' });
      // The event was delivered by the manual retry, but its first batch is still scheduled for another attempt.
      await account.getByRole('row', { name: 'waiting' }).getByRole('link', { name: '1' }).click();
      expect(new URL(page.url()).search).toBe('?tab=deliveries&state=waiting');
      expectNoProblems();
    });

    it('rotate their secret and count the events of a replay in a dry run', async () => {
      const webhook = recordIn(
        await fixture
          .api()
          .post('/Webhook', { event: 'Lead.create', url: fixture.receiver().url('/replayed') }),
      );
      for (const lastName of ['Long ago', 'Later']) {
        await fixture.api().post('/Lead', { lastName });
      }
      const { page, expectNoProblems } = await fixture.visit(`/webhooks/${webhook.id}`);
      await expectPage(page.getByText('No user: sends all data').first()).toBeVisible();
      await page.getByRole('button', { name: 'Rotate secret' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
      await expectPage(page.getByText('The previous secret stays valid until')).toBeVisible();
      await expectPage(page.getByText(String(webhook['secretKey']))).toBeHidden();
      await page.getByRole('tab', { name: 'Replay' }).click();
      await page.getByLabel('To').fill('2099-01-01T00:00');
      await page.getByRole('button', { name: 'Preview', exact: true }).click();
      const { total } = listIn(await fixture.api().get('/Lead'));
      await expectPage(page.getByText(`${total} events found`)).toBeVisible({ timeout: 20_000 });
      expectNoProblems();
    });

    it('send the latest event as a test, and show what a request looks like', async () => {
      const url = fixture.receiver().url('/latest');
      const webhook = recordIn(await fixture.api().post('/Webhook', { event: 'Case.create', url }));
      await fixture.api().post('/Case', { name: 'Latest one' });
      const { page, expectNoProblems } = await fixture.visit(`/webhooks/${webhook.id}?tab=verify`);
      await expectPage(page.getByText('Latest event:')).toBeVisible();
      await expectPage(page.getByLabel('Body', { exact: true })).toContainText('"Latest one"');
      await expectPage(page.getByRole('table', { name: 'Headers of the request' })).toBeVisible();
      await expectAccessible(page);
      await expectNarrow(page);
      await page.getByRole('button', { name: 'Send latest event' }).click();
      const dialog = page.getByRole('dialog', { name: /^Delivery test_/ });
      await expectPage(dialog.getByText('Response: 200')).toBeVisible({ timeout: 20_000 });
      await expectPage(dialog.getByText('webhook-signature')).toBeVisible();
      await expectPage(dialog.getByText(/"Latest one"/).first()).toBeVisible();
      await expectAccessible(page);
      expectNoProblems();
    });
  });
}
