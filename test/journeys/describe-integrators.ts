import { describe, expect, it } from 'vitest';
import { recordIn } from '../support/api-client.ts';
import { expectAccessible, expectPage } from './browser.ts';
import { type ConsoleFixture, expectHeading } from './use-console.ts';

const token = 'Bearer integrator-7f3a';

export function describeIntegrators(fixture: ConsoleFixture): void {
  describe('an integrator', () => {
    it('finds an event by words and sends a custom header without showing its value', async () => {
      const { page, expectNoProblems } = await fixture.visit('/webhooks?mode=new', {
        expectedStatuses: [400],
      });
      const dialog = page.getByRole('dialog', { name: 'New webhook' });
      await dialog.getByLabel('Event', { exact: false }).first().fill('contact phone upd');
      await page.getByRole('option', { name: 'Contact.fieldUpdate.phoneNumber' }).click();
      await dialog.getByLabel('URL').fill(fixture.receiver().url('/integrator'));
      await dialog.getByRole('combobox', { name: 'API user' }).click();
      await page.getByRole('option', { name: 'No user: sends all data' }).click();
      await dialog.getByLabel('Format of X-Signature').selectOption('prefixed');
      await dialog.getByLabel('Description').fill('Phones to the dialer\nOwner: sales');
      await dialog.getByRole('button', { name: 'Add header' }).click();
      await dialog.getByLabel('Name of header 1').fill('Host');
      await dialog.getByLabel('Value of header 1').fill(token);
      await expectAccessible(page);
      await dialog.getByRole('button', { name: 'Create', exact: true }).click();
      await expectPage(
        dialog.getByText('the name Host is reserved or invalid').first(),
      ).toBeVisible();
      await dialog.getByLabel('Name of header 1').fill('Authorization');
      await dialog.getByRole('button', { name: 'Create', exact: true }).click();
      await expectHeading(page, 'Phones to the dialer');
      await expectPage(page.getByText('Set (hidden)')).toBeVisible();
      await expectPage(page.getByText(token)).toHaveCount(0);
      await page.getByRole('button', { name: 'Send test' }).click();
      await expectPage
        .poll(() => fixture.receiver().requests('/integrator')[0]?.headers.authorization)
        .toBe(token);
      await expectPage(page.getByText('Active', { exact: true })).toBeVisible();

      await page.getByRole('button', { name: 'Add header' }).click();
      await page.getByLabel('Name of header 2').fill('X-Tenant');
      await page.getByLabel('Value of header 2').fill('north');
      await page.getByRole('button', { name: 'Save' }).click();
      await expectPage(page.getByText('Set (hidden)')).toHaveCount(2);
      await page.getByRole('button', { name: 'Remove header X-Tenant' }).click();
      await page.getByRole('button', { name: 'Replace the value of Authorization' }).click();
      await page.getByLabel('Value of header 1').fill('Bearer replaced');
      await page.getByRole('button', { name: 'Save' }).click();
      await expectPage(page.getByText('Set (hidden)')).toHaveCount(1);
      await page.getByRole('button', { name: 'Send test' }).click();
      await expectPage
        .poll(() => fixture.receiver().requests('/integrator').length)
        .toBeGreaterThan(1);
      const { headers } = fixture.receiver().requests('/integrator').at(-1) ?? {};
      expect(headers?.authorization).toBe('Bearer replaced');
      expect(headers?.['x-tenant']).toBeUndefined();
      const id = String(headers?.['webhook-id']);
      const signature = Buffer.from(String(headers?.['x-signature']), 'base64').toString('latin1');
      expect(signature.split(':')[0]).toBe(new URL(page.url()).pathname.split('/').at(-1));
      expect(id).toMatch(/^test_/);
      expectNoProblems();
    });

    it('notices a failing webhook, sends its batches again and pauses it', async () => {
      const url = fixture.receiver().url('/failing');
      const webhook = recordIn(
        await fixture.api().post('/Webhook', { event: 'Case.create', url, description: 'Cases' }),
      );
      fixture.receiver().answer('/failing', 500);
      const { page, expectNoProblems } = await fixture.visit(`/webhooks/${webhook.id}`);
      await expectPage(page.getByText('Last success: Never')).toBeVisible();
      await fixture.api().post('/Case', { name: 'Fails' });
      await expectPage(page.getByText('Failing', { exact: true })).toBeVisible({ timeout: 30_000 });
      await page.goto('/webhooks');
      const row = page.getByRole('row').filter({ hasText: 'Case.create' });
      await expectPage(row.getByText('Failing', { exact: true })).toBeVisible();
      await expectAccessible(page);
      await row.getByRole('link', { name: 'Cases' }).click();

      fixture.receiver().answer('/failing', 200);
      const before = fixture.receiver().requests('/failing').length;
      await page.getByRole('tab', { name: 'Deliveries' }).click();
      await page.getByRole('button', { name: 'Retry all failed' }).click();
      const dialog = page.getByRole('dialog', { name: 'Retry all failed' });
      await expectPage(dialog.getByText('1 failed batch will be sent again')).toBeVisible();
      expect(fixture.receiver().requests('/failing')).toHaveLength(before);
      await dialog.getByRole('button', { name: 'Send 1 batch' }).click();
      await expectPage(page.getByText('Retrying 1 batch')).toBeVisible();
      await expectPage.poll(() => fixture.receiver().requests('/failing').length).toBe(before + 1);
      await expectPage(page.getByText('Active', { exact: true })).toBeVisible();
      await expectPage(page.getByText('Last success: Never')).toBeHidden();
      await page.getByRole('button', { name: 'Pause' }).click();
      await expectPage(page.getByText('Paused', { exact: true })).toBeVisible();
      expectNoProblems();
    });

    it('previews the events of a period and sends them after confirming their number', async () => {
      await fixture.api().post('/Opportunity', opportunity('First'));
      await fixture.api().post('/Opportunity', opportunity('Second'));
      const url = fixture.receiver().url('/replayed-now');
      const webhook = recordIn(
        await fixture.api().post('/Webhook', { event: 'Opportunity.create', url }),
      );
      const { page, expectNoProblems } = await fixture.visit(`/webhooks/${webhook.id}?tab=replay`);
      await page.getByLabel('To').fill('2099-01-01T00:00');
      await page.getByRole('button', { name: 'Preview', exact: true }).click();
      await expectPage(page.getByText('2 events found')).toBeVisible({ timeout: 20_000 });
      await page.getByRole('button', { name: 'Send these events…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Send past events again?' });
      await expectPage(dialog.getByText(`2 events will be sent to ${url}`)).toBeVisible();
      await expectAccessible(page);
      await dialog.getByRole('button', { name: 'Cancel' }).click();

      await page.getByRole('button', { name: 'Send…', exact: true }).click();
      await dialog.getByRole('button', { name: 'Send 2 events' }).click({ timeout: 20_000 });
      await expectPage(dialog).toBeHidden();
      await expectPage
        .poll(() => fixture.receiver().events('/replayed-now').length, { timeout: 20_000 })
        .toBe(2);
      expectNoProblems();
    });

    it('opens the API documentation in a new tab with the same session', async () => {
      const { page, context, expectNoProblems } = await fixture.visit('/webhooks');
      const opened = context.waitForEvent('page');
      await page.getByRole('link', { name: 'API documentation' }).click();
      const docs = await opened;
      await expectPage(docs.locator('#operations-tag-Contact')).toBeVisible({
        timeout: 30_000,
      });
      await expectHeading(page, 'Webhooks');
      expectNoProblems();
    });
  });
}

function opportunity(name: string) {
  return { name, amount: 1, closeDate: '2030-01-31', stage: 'Prospecting' };
}
