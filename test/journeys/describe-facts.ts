import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { describe, expect, it } from 'vitest';
import { recordIn } from '../support/api-client.ts';
import { expectAccessible, expectPage, signIn } from './browser.ts';
import { type ConsoleFixture, expectHeading, expectNarrow } from './use-console.ts';

export function describeFacts(fixture: ConsoleFixture): void {
  const make = async (type: string, values: object): Promise<string> =>
    recordIn(await fixture.api().post(`/${type}`, values)).id;
  const read = async (path: string) => (await fixture.api().get(path)).body;
  /** The fields, without the stream next to them. */
  const facts = (page: Page) => page.getByRole('tabpanel', { name: 'Fields' });
  const pencil = (page: Page, field: string) =>
    page.getByRole('button', { name: `Change ${field}`, exact: true });

  describe('a single field of a record', () => {
    it('is edited with the keyboard alone, saved with Enter and undone', async () => {
      const id = await make('Account', { name: 'Facts', website: 'https://old.example' });
      const { page, expectNoProblems } = await fixture.visit(`/records/Account/${id}`);
      await pencil(page, 'Website').focus();
      await page.keyboard.press('Enter');
      const input = page.getByRole('textbox', { name: 'Website' });
      await expectPage(input).toBeFocused();
      await expectAccessible(page);
      await expectNarrow(page);
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.type('https://new.example');
      await page.keyboard.press('Enter');
      await expectPage(facts(page).getByRole('link', { name: 'new.example' })).toBeVisible();
      await expectPage(pencil(page, 'Website')).toBeFocused();
      await page.getByRole('button', { name: 'Undo', exact: true }).click();
      await expectPage(facts(page).getByRole('link', { name: 'old.example' })).toBeVisible();

      await pencil(page, 'Website').focus();
      await page.keyboard.press('Enter');
      await expectPage(input).toBeFocused();
      await page.keyboard.type('discarded');
      await page.keyboard.press('Escape');
      await expectPage(pencil(page, 'Website')).toBeFocused();
      await expectPage(page.getByText('discarded')).toHaveCount(0);
      expect(await read(`/Account/${id}`)).toMatchObject({ website: 'https://old.example' });
      expectNoProblems();
    });

    it('is opened by a click on its value and saved with one key when the focus leaves it', async () => {
      const id = await make('Account', { name: 'Left', industry: 'Banking', sicCode: '1' });
      const { page, expectNoProblems } = await fixture.visit(`/records/Account/${id}`);
      const keys: (string | undefined)[] = [];
      page.on('request', (request) => {
        if (request.method() === 'PATCH') keys.push(request.headers()['idempotency-key']);
      });
      await page.getByText('Banking', { exact: true }).click();
      await page.getByLabel('Industry', { exact: true }).selectOption('Advertising');
      await page.getByRole('heading', { level: 1 }).click();
      await expectPage(facts(page).getByText('Advertising', { exact: true })).toBeVisible();
      await expectPage(page.getByLabel('Industry', { exact: true })).toHaveCount(0);
      expect(keys).toEqual([expect.stringMatching(/.+/)]);

      await pencil(page, 'SIC code').click();
      await page.getByLabel('SIC code', { exact: true }).fill('2');
      await page.keyboard.press('ControlOrMeta+S');
      await expectPage(page.getByLabel('SIC code', { exact: true })).toHaveCount(0);
      expect(await read(`/Account/${id}`)).toMatchObject({ industry: 'Advertising', sicCode: '2' });
      expectNoProblems();
    });

    it('keeps a rejected input, with the error at the field', async () => {
      const id = await make('Account', { name: 'Invalid', sicCode: '1' });
      const { page, expectNoProblems } = await fixture.visit(`/records/Account/${id}`, {
        expectedStatuses: [400],
      });
      await pencil(page, 'Name').click();
      const input = page.getByRole('textbox', { name: 'Name', exact: true });
      await input.fill('');
      await page.keyboard.press('Enter');
      await expectPage(input).toHaveAttribute('aria-invalid', 'true');
      await expectPage(input).toBeFocused();
      await expectAccessible(page);
      await input.fill('Valid');
      await page.keyboard.press('Enter');
      await expectHeading(page, 'Valid');
      expectNoProblems();
    });

    it('is compared with the change of another user to the same field only', async () => {
      const id = await make('Account', { name: 'Shared', sicCode: '1' });
      const { page, expectNoProblems } = await fixture.visit(`/records/Account/${id}`, {
        expectedStatuses: [412],
      });
      await pencil(page, 'SIC code').click();
      await page.getByLabel('SIC code', { exact: true }).fill('2');
      await fixture.api().patch(`/Account/${id}`, { sicCode: '3' });
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'This record has changed' });
      await expectPage(dialog.getByRole('radio')).toHaveCount(2);
      await dialog.getByRole('radio', { name: '3' }).check();
      await dialog.getByRole('button', { name: 'Save' }).click();
      await expectPage(dialog).toHaveCount(0);
      await expectPage(facts(page).getByText('3', { exact: true })).toBeVisible();
      expect(await read(`/Account/${id}`)).toMatchObject({ sicCode: '3' });
      expectNoProblems();
    });

    it('is saved after another field that is still being saved', async () => {
      const id = await make('Account', {
        name: 'Both',
        sicCode: '1',
        website: 'https://a.example',
      });
      const { page, expectNoProblems } = await fixture.visit(`/records/Account/${id}`);
      await pencil(page, 'SIC code').click();
      await page.getByLabel('SIC code', { exact: true }).fill('2');
      await pencil(page, 'Website').click();
      await page.getByRole('textbox', { name: 'Website' }).fill('https://b.example');
      await page.keyboard.press('Enter');
      await expectPage(facts(page).getByRole('link', { name: 'b.example' })).toBeVisible();
      await expectPage(facts(page).getByText('2', { exact: true })).toBeVisible();
      expect(await read(`/Account/${id}`)).toMatchObject({
        sicCode: '2',
        website: 'https://b.example',
      });
      expectNoProblems();
    });

    it('is not offered without the right to edit the record, but explained', async () => {
      const password = 'correct horse battery';
      const account = { create: 'yes', read: 'all', edit: 'own', delete: 'no', stream: 'no' };
      const rolesIds = [await make('Role', { name: 'Own facts', data: { Account: account } })];
      const person = { userName: 'facts', lastName: 'Facts', type: 'regular', rolesIds };
      const userId = await make('User', { ...person, password });
      const own = await make('Account', { name: 'Own', assignedUserId: userId, sicCode: '1' });
      const foreign = await make('Account', { name: 'Foreign', sicCode: 'Hover me' });
      const { page, expectNoProblems } = await fixture.open(`/records/Account/${own}`);
      await signIn(page, { userName: 'facts', password });
      await expectPage(pencil(page, 'SIC code')).toBeVisible();
      await expectPage(pencil(page, 'Created')).toHaveCount(0);
      await page.goto(`/records/Account/${foreign}`);
      await page.getByText('Hover me').hover();
      await expectPage(page.getByRole('tooltip')).toContainText('You can only edit records');
      await expectPage(page.getByRole('button', { name: /^Change/ })).toHaveCount(0);
      expectNoProblems();
    });
  });

  describe('empty fields of a record', () => {
    it('are hidden until the user shows them, on every page', async () => {
      const id = await make('Account', { name: 'Sparse', website: 'https://sparse.example' });
      const { page, expectNoProblems } = await fixture.visit(`/records/Account/${id}`);
      const label = page.getByRole('term').filter({ hasText: /^SIC code$/ });
      await expectPage(page.getByRole('term').filter({ hasText: /^Website$/ })).toBeVisible();
      await expectPage(label).toHaveCount(0);
      await page.getByRole('button', { name: /^Show \d+ empty fields$/ }).click();
      await expectPage(label).toBeVisible();
      await page.reload();
      await pencil(page, 'SIC code').click();
      await page.getByLabel('SIC code', { exact: true }).fill('7');
      await page.keyboard.press('Enter');
      await expectPage(facts(page).getByText('7', { exact: true })).toBeVisible();
      await expectAccessible(page);
      await page.getByRole('button', { name: /^Hide \d+ empty fields$/ }).click();
      await expectPage(label).toBeVisible();
      await expectPage(page.getByRole('term').filter({ hasText: /^Description$/ })).toHaveCount(0);
      expectNoProblems();
    });
  });

  describe('the page of a record', () => {
    it('shows the stream next to the fields in wide windows, and in a tab in narrower ones', async () => {
      const id = await make('Account', { name: 'Aside' });
      const parent = { parentType: 'Account', parentId: id, assignedUserId: 'admin' };
      const times = { dateStart: '2030-01-31 10:00:00', dateEnd: '2030-01-31 11:00:00' };
      await make('Meeting', { name: 'Kick-off', status: 'Planned', ...times, ...parent });
      const { page, expectNoProblems } = await fixture.visit(
        `/records/Account/${id}?tab=stream&show=updates`,
        { width: 1440 },
      );
      const aside = page.getByRole('region', { name: 'About this record' });
      const main = page.getByRole('tabpanel');
      const streamTab = page.getByRole('tab', { name: 'Stream' });
      const expectOwnersIn = async (place: typeof main) => {
        await expectPage(place.getByRole('button', { name: /^(?:Unf|F)ollow$/ })).toBeVisible();
        await expectPage(place.getByRole('term').filter({ hasText: 'Created at' })).toBeVisible();
      };
      await expectPage(aside.getByRole('link', { name: 'Kick-off' }).first()).toBeVisible();
      await expectPage(aside.getByLabel('Write a post')).toBeVisible();
      await aside.getByLabel('Write a post').fill('Not sent');
      await expectOwnersIn(main);
      await expectAccessible(page);
      await page.getByRole('tab', { name: 'Meetings' }).click();
      await expectPage(main.getByRole('link', { name: 'Kick-off' })).toBeVisible();
      await expectPage(aside.getByRole('radio', { name: 'Updates' })).toBeChecked();
      await expectPage(streamTab).toHaveCount(0);

      await page.setViewportSize({ width: 1270, height: 800 });
      await expectOwnersIn(aside);
      await streamTab.click();
      await expectPage(main.getByLabel('Write a post')).toHaveValue('Not sent');
      await expectPage(main.getByRole('radio', { name: 'Updates' })).toBeChecked();
      const isBelow = async () => {
        const [one, other] = [await main.boundingBox(), await aside.boundingBox()];
        return (other?.y ?? 0) >= (one?.y ?? 0) + (one?.height ?? 0);
      };
      expect(await isBelow()).toBe(false);
      await expectNarrow(page);
      await page.setViewportSize({ width: 900, height: 800 });
      expect(await isBelow()).toBe(true);
      expectNoProblems();
    });

    it('shows the fields and the linked records of an earlier version, read-only', async () => {
      const id = await make('Account', { name: 'Then', sicCode: 'first' });
      const contact = await make('Contact', { lastName: 'Linked then', accountsIds: [id] });
      await nextSecond();
      await fixture.api().patch(`/Account/${id}`, { sicCode: 'second' });
      await nextSecond();
      await fixture.api().patch(`/Contact/${contact}`, { lastName: 'Renamed', accountsIds: [] });
      await fixture.api().patch(`/Account/${id}`, { sicCode: 'third' });
      const { page, expectNoProblems } = await fixture.visit(`/records/Account/${id}`);
      await page.getByRole('button', { name: 'Earlier versions' }).click();
      await page.getByRole('slider', { name: 'Version' }).focus();
      await page.keyboard.press('ArrowLeft');
      await expectPage(facts(page).getByText('second', { exact: true })).toBeVisible();
      await expectPage(page.getByRole('button', { name: /^(?:Change|Edit)/ })).toHaveCount(0);
      await page.getByRole('tab', { name: 'Contacts' }).click();
      await expectPage(page.getByText(/^Records that were linked on/)).toBeVisible();
      await expectPage(page.getByRole('link', { name: 'Linked then' })).toBeVisible();
      await expectPage(page.getByRole('searchbox', { name: 'Search Contacts' })).toHaveCount(0);
      await expectPage(page.getByRole('button', { name: /^Unlink/ })).toHaveCount(0);
      await expectAccessible(page);
      await expectNarrow(page);
      await page.getByRole('button', { name: 'Back to the current version' }).click();
      await expectPage(page.getByText('No linked records')).toBeVisible();
      expectNoProblems();
    });
  });
}

/** Waits until the next second, because the times of versions have no fractions. */
async function nextSecond(): Promise<void> {
  await sleep(1_000 - (Date.now() % 1_000) + 5);
}
