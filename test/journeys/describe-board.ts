import type { Page } from '@playwright/test';
import { describe, expect, it } from 'vitest';
import { recordIn } from '../support/api-client.ts';
import { expectAccessible, expectPage, signIn } from './browser.ts';
import { type ConsoleFixture, expectHeading } from './use-console.ts';

const password = 'correct horse battery';

export function describeBoard(fixture: ConsoleFixture): void {
  const make = async (name: string, values: object = {}): Promise<string> => {
    const opportunity = { name, amount: 100, amountCurrency: 'USD', closeDate: '2030-01-31' };
    return recordIn(await fixture.api().post('/Opportunity', { ...opportunity, ...values })).id;
  };
  const group = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
  const cards = (page: Page, name: string) => group(page, name).getByRole('listitem');
  const stageOf = async (id: string) =>
    recordIn(await fixture.api().get(`/Opportunity/${id}`))['stage'];

  describe('a board', () => {
    it('moves a card with the mouse and keeps it in its new place', async () => {
      const id = await make('Mouse one');
      await make('Mouse two', { stage: 'Proposal' });
      await make('Mouse three', { stage: 'Proposal', amount: 50 });
      const { page, expectNoProblems } = await fixture.visit('/records/Opportunity?q=Mouse');
      await page.getByRole('link', { name: 'Board', exact: true }).click();
      await page.waitForURL('**/board/Opportunity?q=Mouse');
      await expectHeading(page, 'Opportunities');
      const create = page.getByRole('link', { name: 'New Opportunity', exact: true });
      await expectPage(create).toBeVisible();
      await expectPage(cards(page, 'Proposal')).toHaveCount(2);
      await expectPage(group(page, 'Proposal').getByText('150', { exact: false })).toBeVisible();
      await expectAccessible(page);
      const from = await cards(page, 'Prospecting').first().boundingBox();
      const to = await cards(page, 'Proposal').nth(1).boundingBox();
      if (from === null || to === null) throw new Error('The cards are not visible.');
      await page.mouse.move(from.x + 100, from.y + from.height - 8);
      await page.mouse.down();
      await page.mouse.move(to.x + 100, to.y + to.height - 8, { steps: 12 });
      await page.mouse.move(to.x + 102, to.y + to.height - 8);
      await expectPage(cards(page, 'Proposal')).toHaveCount(3);
      await page.mouse.up();
      await expectPage(group(page, 'Proposal').getByText('250', { exact: false })).toBeVisible();
      await expectPage(page.getByText('Saved', { exact: true })).toBeVisible();
      expect(await stageOf(id)).toBe('Proposal');
      const order = await cards(page, 'Proposal').getByRole('link').allInnerTexts();
      await page.reload();
      await expectPage(cards(page, 'Proposal')).toHaveCount(3);
      expect(await cards(page, 'Proposal').getByRole('link').allInnerTexts()).toEqual(order);
      expectNoProblems();
    });

    it('marks open records whose closing date has passed, and shortens amounts', async () => {
      const late = { amount: 12_340, closeDate: '2026-01-31' };
      await make('Late open', { ...late, stage: 'Proposal' });
      await make('Late won', { ...late, stage: 'Closed Won' });
      const { page, expectNoProblems } = await fixture.visit('/board/Opportunity?q=Late');
      await expectPage(cards(page, 'Proposal')).toContainText('$12,340');
      await expectPage(cards(page, 'Proposal')).toContainText('Overdue');
      await expectPage(group(page, 'Proposal').getByText('Amount: $12.3K')).toHaveAttribute(
        'title',
        '$12,340.00',
      );
      await expectPage(cards(page, 'Closed Won')).not.toContainText('Overdue');
      await expectAccessible(page);
      expectNoProblems();
    });

    it('opens the form of a new record with the status of a column', async () => {
      const { page, expectNoProblems } = await fixture.visit('/board/Opportunity');
      await page.getByRole('link', { name: 'New Opportunity in Proposal' }).click();
      await expectPage(page.getByLabel('Stage', { exact: true })).toHaveValue('Proposal');
      expectNoProblems();
    });

    it('moves a card within and between groups with the keyboard, and offers to undo the move', async () => {
      const id = await make('Keys one');
      const { page, expectNoProblems } = await fixture.visit('/board/Opportunity?q=Keys');
      await expectPage(cards(page, 'Prospecting')).toHaveCount(1);
      const handle = page.getByRole('button', { name: 'Move Keys one' });
      await handle.focus();
      await page.keyboard.press('Space');
      await expectPage(page.getByText(/^Keys one is now at/)).toBeAttached();
      await page.keyboard.press('ArrowRight');
      await expectPage(cards(page, 'Qualification')).toHaveCount(1);
      await page.keyboard.press('ArrowRight');
      await expectPage(cards(page, 'Proposal')).toHaveCount(1);
      await page.keyboard.press('ArrowLeft');
      await expectPage(cards(page, 'Qualification')).toHaveCount(1);
      await page.keyboard.press('Space');
      await expectPage(page.getByText('Saved', { exact: true })).toBeVisible();
      expect(await stageOf(id)).toBe('Qualification');
      await page.getByRole('button', { name: 'Undo' }).click();
      await expectPage(cards(page, 'Prospecting')).toHaveCount(1);
      expect(await stageOf(id)).toBe('Prospecting');
      await handle.focus();
      await page.keyboard.press('Space');
      await expectPage(page.getByText(/^Keys one is now at/)).toBeAttached();
      await page.keyboard.press('ArrowRight');
      await expectPage(cards(page, 'Qualification')).toHaveCount(1);
      await page.keyboard.press('Escape');
      await expectPage(cards(page, 'Prospecting')).toHaveCount(1);
      expect(await stageOf(id)).toBe('Prospecting');
      expectNoProblems();
    });

    it('shows more cards of a group on request', async () => {
      for (let number = 1; number <= 22; number += 1) await make(`Many ${number}`);
      const { page, expectNoProblems } = await fixture.visit('/board/Opportunity?q=Many');
      await expectPage(cards(page, 'Prospecting')).toHaveCount(20);
      await page.getByRole('button', { name: '2 more' }).click();
      await expectPage(cards(page, 'Prospecting')).toHaveCount(22);
      expectNoProblems();
    });

    it('has no handles for records that the user may not change, and lists without a status offer no board', async () => {
      const api = fixture.api();
      const levels = { create: 'no', read: 'all', edit: 'own', delete: 'no' };
      const role = { name: 'Board reader', data: { Opportunity: levels, Account: levels } };
      const { id: roleId } = recordIn(await api.post('/Role', role));
      const person = { userName: 'boarder', lastName: 'Boarder', type: 'regular', password };
      const user = recordIn(await api.post('/User', { ...person, rolesIds: [roleId] }));
      await make('Rights mine', { assignedUserId: user.id });
      await make('Rights other');
      const { page, expectNoProblems } = await fixture.open('/board/Opportunity?q=Rights');
      await signIn(page, person);
      await expectPage(cards(page, 'Prospecting')).toHaveCount(2);
      await expectPage(page.getByRole('button', { name: /^Move / })).toHaveCount(1);
      await page.goto('/records/Account');
      await expectHeading(page, 'Accounts');
      await expectPage(page.getByRole('link', { name: 'Board', exact: true })).toHaveCount(0);
      expectNoProblems();
    });
  });
}
