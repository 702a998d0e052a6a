import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withClient } from '../../infra/local/postgres/find-database-fault.ts';
import { recordIn } from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import { expectAccessible, expectPage, signIn } from './browser.ts';
import { type ConsoleFixture, expectHeading } from './use-console.ts';

export function describeSystem(fixture: ConsoleFixture): void {
  describe('the log page', () => {
    it('shows live changes with their details and holds them while paused', async () => {
      const { page, expectNoProblems } = await fixture.visit('/log?entityType=Account');
      await expectPage(page.getByText('Connected', { exact: true })).toBeVisible();
      const hostile = '<img src=x onerror=alert(1)>';
      const { id } = recordIn(
        await fixture.api().post('/Account', { name: 'Live', description: hostile }),
      );
      await fixture.api().post('/Contact', { lastName: 'Of another type' });
      const rows = page.getByRole('row').filter({ has: page.locator(`a[href$="${id}"]`) });
      await expectPage(rows).toHaveCount(1);
      await rows.getByRole('button', { name: /^Details of/ }).click();
      const drawer = page.getByRole('dialog', { name: 'Event' });
      await expectPage(drawer.getByRole('cell', { name: hostile })).toBeVisible();
      await page.keyboard.press('Escape');
      await expectPage(drawer).toBeHidden();

      await page.getByRole('button', { name: 'Pause' }).click();
      await fixture.api().patch(`/Account/${id}`, { name: 'Renamed' });
      await expectPage(page.getByText('Paused: 1 new event')).toBeVisible();
      await expectPage(rows).toHaveCount(1);
      await page.getByRole('button', { name: 'Resume' }).click();
      await expectPage(rows).toHaveCount(2);
      await expectPage(page.getByRole('cell', { name: 'Contact', exact: true })).toHaveCount(0);
      await rows.first().getByRole('button').click();
      const changes = drawer.getByRole('table', { name: 'Changes' });
      await expectPage(changes.getByRole('cell', { name: 'Live', exact: true })).toBeVisible();
      await expectPage(changes.getByRole('cell', { name: 'Renamed' })).toBeVisible();
      await drawer.getByRole('link', { name: 'Show the record at this version' }).click();
      await expectHeading(page, 'Renamed');
      expect(new URL(page.url()).search).toBe('?tab=time&version=2');
      expectNoProblems();
    });

    it('names records, linked records and fields instead of their ids and attributes', async () => {
      const account = recordIn(await fixture.api().post('/Account', { name: 'Linked Ltd' }));
      const { page, expectNoProblems } = await fixture.visit('/log?entityType=Contact');
      await expectPage(page.getByText('Connected', { exact: true })).toBeVisible();
      const { id } = recordIn(
        await fixture.api().post('/Contact', { lastName: 'Logged', accountId: account.id }),
      );
      await page.getByRole('button', { name: 'Details of Contact Logged 1' }).click();
      const drawer = page.getByRole('dialog', { name: 'Event' });
      const changes = drawer.getByRole('table', { name: 'Changes' });
      const row = changes
        .getByRole('row')
        .filter({ has: page.getByRole('rowheader', { name: 'Account', exact: true }) });
      await expectPage(row.getByRole('link', { name: 'Linked Ltd' })).toBeVisible();
      await expectPage(changes).not.toContainText('accountId');
      await expectPage(drawer.getByRole('row', { name: /^Record ID/ })).toContainText(id);
      await expectAccessible(page);
      expectNoProblems();
    });

    it('disconnects hidden tabs and reconnects them when they are shown', async () => {
      const { page, context, expectNoProblems } = await fixture.visit('/log');
      await expectPage(page.getByText('Connected', { exact: true })).toBeVisible();
      await page.evaluate(
        "Object.defineProperty(document, 'hidden', { value: true, writable: true })",
      );
      const ended = page.waitForEvent('requestfailed', (request) =>
        request.url().includes('/System/events'),
      );
      const other = await context.newPage();
      await other.goto('/log');
      await expectPage(other.getByText('Connected', { exact: true })).toBeVisible();
      await ended;
      const again = page.waitForRequest(/System\/events/);
      await page.evaluate(
        "document.hidden = false; document.dispatchEvent(new Event('visibilitychange'))",
      );
      await again;
      await expectPage(page.getByText('The stream was interrupted')).toBeVisible();
      await expectPage(page.getByText('Connected', { exact: true })).toBeVisible();
      expectNoProblems();
    });

    it('keeps its filters in the URL', async () => {
      const { page, expectNoProblems } = await fixture.visit('/log');
      await page.getByLabel('Action').selectOption('deleted');
      await expectPage(page.getByText('No matching events yet')).toBeVisible();
      expect(new URL(page.url()).search).toBe('?type=deleted');
      await page.getByRole('tab', { name: 'Topics' }).click();
      await expectPage(page.getByRole('rowheader', { name: /records\/0$/ })).toBeVisible();
      await page.getByRole('tab', { name: 'Rejected entries' }).click();
      await expectPage(page.getByText('No rejected entries')).toBeVisible();
      expectNoProblems();
    });
  });

  describe('rejected entries', () => {
    const refusedName = '22003';
    const inDatabase = async (sql: string) =>
      withClient(fixture.product().access().postgres.url, async (client) => client.query(sql));

    // Decisions accept a name that the tables refuse, as after a defect.
    beforeAll(async () => {
      await inDatabase(`create function public.refuse_name() returns trigger language plpgsql as $$
        begin
          if new.name = '${refusedName}' then
            raise exception 'integer out of range' using errcode = '22003';
          end if;
          return new;
        end $$;
        create trigger refuse_name before insert or update on annals.account
          for each row execute function public.refuse_name()`);
    });
    afterAll(async () => {
      await inDatabase('drop function if exists public.refuse_name cascade');
    });

    it('can be discarded to return a quarantined record to its former state', async () => {
      const { id } = recordIn(await fixture.api().post('/Account', { name: 'Kept' }));
      const { page, expectNoProblems } = await fixture.visit(`/records/Account/${id}?mode=edit`, {
        expectedStatuses: [409, 500],
      });
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill(refusedName);
      await page.getByRole('button', { name: 'Save' }).click();
      const alert = page.getByRole('alert');
      await expectPage(alert).toContainText('The change could not be stored');
      await expectPage(alert.getByRole('link', { name: 'Rejected entries' })).toBeVisible();
      await page.getByRole('button', { name: 'Cancel' }).click();
      await expectPage(alert).toContainText('This record is quarantined');
      await alert.getByRole('link', { name: 'Rejected entries' }).click();

      const row = page.getByRole('row').filter({ hasText: id });
      await expectPage(row).toContainText('Record quarantined');
      await expectAccessible(page);
      await row.getByRole('button', { name: /^Retry/ }).click();
      const refusal = page.getByRole('alert').filter({ hasText: 'The tables still reject' });
      await expectPage(refusal).toContainText('integer out of range');
      await refusal.getByRole('button', { name: 'Close' }).click();
      await row.getByRole('button', { name: /^Discard/ }).click();
      const dialog = page.getByRole('dialog', { name: 'Discard this change?' });
      await expectPage(dialog).toContainText('The record returns to its state before');
      await dialog.getByRole('button', { name: 'Discard' }).click();
      await expectPage(page.getByText('No rejected entries')).toBeVisible();
      await page.goBack();
      await expectHeading(page, 'Kept');
      expectNoProblems();
    });

    it('announce that a new record will be deleted and release it after a retry', async () => {
      expect((await fixture.api().post('/Account', { name: refusedName })).status).toBe(500);
      const { page, expectNoProblems } = await fixture.visit('/log?tab=rejected');
      await page.getByRole('button', { name: /^Details of/ }).click();
      const drawer = page.getByRole('dialog', { name: 'Rejected entry' });
      const record = drawer.getByRole('row', { name: /^Record/ }).getByRole('link');
      const id = await record.textContent();
      await expectPage(record).toHaveAttribute('href', `/records/Account/${id}`);
      await drawer.getByRole('button', { name: /^Discard/ }).click();
      const dialog = page.getByRole('dialog', { name: 'Discard this change?' });
      await expectPage(dialog).toContainText('Discarding the entry deletes the record.');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await inDatabase('drop trigger refuse_name on annals.account');
      await drawer.getByRole('button', { name: /^Retry/ }).click();
      await expectPage(page.getByText('Record released from quarantine.')).toBeVisible();
      await expectPage(drawer).toBeHidden();
      await expectPage(page.getByText('No rejected entries')).toBeVisible();
      await page.goto(`/records/Account/${id}`);
      await expectHeading(page, refusedName);
      expectNoProblems();
    });

    it('remain listed as acknowledged if they quarantine no record', async () => {
      await inDatabase(`insert into annals.rejected_entries (topic, partition, log_offset, reason, entry)
        values ('foreign', 0, 7, 'no entry of Annals', 'foreign bytes')`);
      const { page, expectNoProblems } = await fixture.visit('/log?tab=rejected');
      const row = page.getByRole('row').filter({ hasText: 'foreign/0/7' });
      await expectPage(row).toContainText('Not acknowledged');
      await expectPage(row.getByRole('button', { name: /^Retry/ })).toHaveCount(0);
      await row.getByRole('button', { name: /^Discard/ }).click();
      const dialog = page.getByRole('dialog', { name: 'Acknowledge this entry?' });
      await expectPage(dialog).toContainText('stays in this list');
      await dialog.getByRole('button', { name: 'Discard' }).click();
      await expectPage(row.getByText('Acknowledged', { exact: true })).toBeVisible();
      await expectPage(row.getByRole('button', { name: /^Discard/ })).toHaveCount(0);
      await inDatabase(`delete from annals.rejected_entries where topic = 'foreign'`);
      expectNoProblems();
    });
  });

  describe('a rebuild', () => {
    it('shows its progress and how to continue after an interruption', async () => {
      const { page, expectNoProblems } = await fixture.visit('/log?tab=topics');
      await expectPage(page.getByText('No rebuild of the tables is running')).toBeVisible();
      let rebuild = { isRunning: true, taken: 25, entries: 100 };
      await page.route('**/System/status', async (route) => {
        const answer = await route.fetch();
        await route.fulfill({ json: { ...Object(await answer.json()), rebuild } });
      });
      await page.reload();
      const panel = page.locator('section').filter({ hasText: 'log entries' });
      await expectPage(panel.getByText('25%: 25 of 100 log entries.')).toBeVisible();
      rebuild = { ...rebuild, isRunning: false, taken: 50 };
      await page.reload();
      await expectPage(panel.getByText('npm run annals -- rebuild')).toBeVisible();
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      expectNoProblems();
    });
  });

  describe('the system page', () => {
    it('shows findings, processes and queues', async () => {
      const { page, expectNoProblems } = await fixture.visit('/system');
      await page.getByText(/checks? passed/).click({ timeout: 60_000 });
      await expectPage(page.getByText('The projector process is ready.')).toBeVisible();
      await expectPage(page.getByRole('cell', { name: 'dispatcher' })).toBeVisible();
      await expectPage(page.getByRole('rowheader', { name: 'third attempt' })).toBeVisible();

      const says = 'does <b>not</b> answer';
      const remedy = 'run annals rebuild';
      const found = { about: 'Kafka', verdict: 'fault', code: 'later', says, remedy };
      await page.route('**/System/doctor', (route) =>
        route.fulfill({ json: { faults: 1, warnings: 0, findings: [found] } }),
      );
      await page.getByRole('button', { name: 'Check again' }).click();
      await expectPage(page.getByRole('heading', { name: '1 fault' })).toBeVisible();
      await expectPage(page.getByText(says)).toBeVisible();
      await page.getByRole('button', { name: `Copy: ${remedy}` }).click();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(remedy);
      expectNoProblems();
    });

    it('shows findings in German, with links, and carries out remedies that take a single request', async () => {
      const url = fixture.receiver().url('/deactivated');
      const { id } = recordIn(await fixture.api().post('/Webhook', { event: 'Lead.create', url }));
      await fixture.api().patch(`/Webhook/${id}`, { isActive: false });
      const found = {
        about: 'webhooks',
        verdict: 'warning',
        code: 'webhooks.deactivated',
        parameters: { deactivated: 1, count: 2 },
        says: '1 of 2 were deactivated',
        remedy: 'activate them',
        links: [{ kind: 'record', entityType: 'Webhook', id, name: `${id} at ${url}` }],
        remedies: [{ action: 'activateWebhook', id, name: url }],
      };
      const { page, expectNoProblems } = await fixture.visit('/overview');
      await page.route('**/System/doctor*', (route) =>
        route.fulfill({ json: { faults: 0, warnings: 1, findings: [found] } }),
      );
      await page.reload();
      await page.getByRole('link', { name: 'Health: 1 warning: Webhooks' }).click();
      await expectHeading(page, 'System');
      await page.getByRole('button', { name: /^Account menu for/ }).click();
      await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
      await page.keyboard.press('Escape');
      await expectPage(page.getByRole('menu')).toBeHidden();
      await expectPage(page.getByText('Annals hat 1 von 2 Webhooks deaktiviert.')).toBeVisible();
      await expectAccessible(page);
      await page.getByRole('button', { name: `Aktivieren: ${url}` }).click();
      await expectPage(page.getByText('Erledigt.')).toBeVisible();
      expect(recordIn(await fixture.api().get(`/Webhook/${id}`))['isActive']).toBe(true);
      await page.getByRole('link', { name: url, exact: true }).click();
      await expectHeading(page, 'Lead.create');
      // The language is kept for the user, whom all journeys share.
      const stored = page.waitForResponse(
        (response) => response.request().postData()?.includes('en_US') === true,
      );
      await page.getByRole('button', { name: /^Kontomenü von/ }).click();
      await page.getByRole('menuitemradio', { name: 'English' }).click();
      expect((await stored).status()).toBe(200);
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      expectNoProblems();
    });

    it('shows the health of the installation in the header of every page, and does not count a paused webhook as a problem', async () => {
      const url = fixture.receiver().url('/paused');
      const { id } = recordIn(await fixture.api().post('/Webhook', { event: 'Lead.delete', url }));
      await fixture.api().patch(`/Webhook/${id}`, { isActive: false });
      const { page, expectNoProblems } = await fixture.visit('/records/Account');
      await page.getByRole('link', { name: /^Health: / }).click({ timeout: 60_000 });
      await page.getByText(/checks? passed/).click({ timeout: 60_000 });
      // The server keeps the result of its checks for ten seconds.
      await eventually(
        async () => {
          await page.getByRole('button', { name: 'Check again' }).click();
          const paused = page.getByRole('listitem').filter({ hasText: 'paused' });
          await expectPage(paused.getByRole('link', { name: url })).toBeVisible({ timeout: 2_000 });
        },
        { timeoutMs: 40_000, intervalMs: 500 },
      );
      expectNoProblems();
    });

    it('shows the settings with their sources, and the audit log of sign-ins and changes', async () => {
      const { page, expectNoProblems } = await fixture.visit('/system?tab=settings');
      const settings = page.getByRole('table', { name: 'Settings' });
      const limit = settings.getByRole('row', { name: /^API_EXPORT_LIMIT/ });
      await expectPage(limit.getByRole('cell')).toHaveText(['20000', 'Default', 'All processes']);
      const key = settings.getByRole('row', { name: /^ANNALS_SECRET_KEY/ });
      await expectPage(key).toContainText('Set (hidden)');
      await settings.getByRole('button', { name: 'Source' }).click();
      await expectPage(settings.getByRole('columnheader', { name: 'Source' })).toHaveAttribute(
        'aria-sort',
        'ascending',
      );
      expect(new URL(page.url()).search).toBe('?tab=settings&sort=source');
      await page.getByLabel('Search settings').fill('no such setting');
      await expectPage(page.getByText('No matching settings')).toBeVisible();

      const role = recordIn(await fixture.api().post('/Role', { name: 'To be audited' }));
      await fixture.api().patch(`/Role/${role.id}`, { data: { Account: { read: 'own' } } });
      await page.getByRole('tab', { name: 'Audit' }).click();
      await page.getByLabel('Category').selectOption('role');
      const audit = page.getByRole('table', { name: 'Audit' });
      const changed = audit.getByRole('row').filter({ hasText: 'changed' }).first();
      await expectPage(changed.getByRole('link', { name: 'To be audited' })).toBeVisible();
      await changed.getByText('1 change', { exact: true }).click();
      await expectPage(changed.getByText(/^[A-Z][a-z]+: Account:/)).toBeVisible();
      await page.getByLabel('Category').selectOption('signIn');
      await expectPage(audit.getByText('signed in').first()).toBeVisible();
      await page.getByLabel('Before').fill('2020-01-31');
      await expectPage(page.getByText('No matching entries')).toBeVisible();
      expect(new URL(page.url()).search).toBe('?tab=audit&kind=signIn&to=2020-01-31');
      expectNoProblems();
    });

    it('reports an unavailable part of Annals and recovers automatically', async () => {
      const { page, expectNoProblems } = await fixture.visit('/log', { expectedStatuses: [503] });
      await page.route('**/System/status', (route) =>
        route.fulfill({ status: 503, json: { message: 'Kafka does not answer' } }),
      );
      await page.goto('/system');
      await expectPage(page.getByText('Some features are unavailable')).toBeVisible();
      await page.unrouteAll();
      await expectPage(page.getByRole('heading', { name: 'Disks' })).toBeVisible();
      await expectPage(page.getByText('Some features are unavailable')).toBeHidden();
      expectNoProblems();
    });

    it('is accessible only to administrators', async () => {
      const { page, expectNoProblems } = await fixture.open('/log');
      await signIn(page, fixture.product().access().user);
      await expectHeading(page, 'Page not found');
      await page.goto('/system');
      await expectHeading(page, 'Page not found');
      await expectPage(page.getByRole('link', { name: 'Accounts' })).toBeVisible();
      await expectPage(page.getByRole('link', { name: /^(?:Log|System|Overview)$/ })).toHaveCount(
        0,
      );
      await page.goto('/');
      await expectHeading(page, 'Home');
      expectNoProblems();
    });
  });
}
