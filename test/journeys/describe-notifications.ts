import { describe, it } from 'vitest';
import { recordIn } from '../support/api-client.ts';
import { expectAccessible, expectPage, signIn } from './browser.ts';
import { type ConsoleFixture, expectHeading, expectNarrow } from './use-console.ts';

const password = 'correct horse battery';

const level = { create: 'yes', read: 'all', edit: 'all', delete: 'no' };

async function makePerson(fixture: ConsoleFixture, userName: string, more: object = {}) {
  const api = fixture.api();
  const data = { Account: level, ...more };
  const { id: roleId } = recordIn(await api.post('/Role', { name: `Role of ${userName}`, data }));
  const user = { userName, lastName: 'Mentioned', type: 'regular', password, rolesIds: [roleId] };
  return { id: recordIn(await api.post('/User', user)).id, userName, password };
}

export function describeNotifications(fixture: ConsoleFixture): void {
  describe('a user who is mentioned', () => {
    it('sees the number at the bell, and lands on the record', async () => {
      const person = await makePerson(fixture, 'mentioned.user');
      const { id } = recordIn(await fixture.api().post('/Account', { name: 'Talked about' }));
      const author = await fixture.visit(`/records/Account/${id}?tab=stream`);
      const input = author.page.getByLabel('Write a post');
      await input.pressSequentially('Ask @mentioned');
      const option = author.page.getByRole('option', { name: 'Mentioned @mentioned.user' });
      await expectPage(option).toHaveAttribute('aria-selected', 'true');
      await expectAccessible(author.page);
      await input.press('Escape');
      await expectPage(option).toHaveCount(0);
      await input.press('Backspace');
      await input.fill('Ask ');
      await input.pressSequentially('@ment');
      await expectPage(option).toBeVisible();
      await input.press('Enter');
      await expectPage(input).toHaveValue('Ask @mentioned.user ');
      await input.pressSequentially('please');
      await author.page.getByRole('button', { name: 'Post', exact: true }).click();
      const list = author.page.getByRole('list', { name: 'Activity' });
      await expectPage(list.getByRole('link', { name: '@mentioned.user' })).toBeVisible();
      author.expectNoProblems();
      await author.close();

      // A page without buttons under the panel.
      const { page, expectNoProblems } = await fixture.open('/recent');
      await signIn(page, person);
      const bell = page.getByRole('button', { name: 'Notifications: 1 unread' });
      await bell.focus();
      await page.keyboard.press('Enter');
      const panel = page.getByRole('dialog', { name: /^Notifications/ });
      const link = panel.getByRole('link', { name: /mentioned you in “Talked about”/ });
      await expectPage(link).toContainText('Ask @mentioned.user please');
      await expectPage(
        page.getByRole('button', { name: 'Notifications', exact: true }),
      ).toHaveCount(1);
      await expectAccessible(page);
      await expectNarrow(page);
      await link.click();
      await expectHeading(page, 'Talked about');
      await expectPage(panel).toHaveCount(0);
      await expectPage(
        page.getByRole('list', { name: 'Activity' }).getByText(/please/),
      ).toBeVisible();
      expectNoProblems();
    });

    it('reads an empty list, marks all as read, and closes the panel with Escape', async () => {
      const person = await makePerson(fixture, 'idle.user');
      const { page, expectNoProblems } = await fixture.open('/');
      await signIn(page, person);
      const bell = page.getByRole('button', { name: /^Notifications/ });
      await bell.click();
      await expectPage(page.getByText('No notifications', { exact: true })).toBeVisible();
      await page.keyboard.press('Escape');
      await expectPage(page.getByRole('dialog')).toHaveCount(0);
      await expectPage(bell).toBeFocused();
      const api = fixture.api();
      const values = { name: 'Given away', assignedUserId: person.id };
      const { id } = recordIn(await api.post('/Account', values));
      for (let number = 0; number < 21; number += 1) {
        await api.patch(`/Account/${id}`, { website: `https://${number}.example` });
      }
      await page.reload();
      await page.getByRole('button', { name: 'Notifications: 22 unread' }).click();
      const panel = page.getByRole('dialog', { name: 'Notifications' });
      await expectPage(panel.getByText('Website').first()).toBeVisible();
      await panel.getByRole('button', { name: 'Mark all as read' }).click();
      await expectPage(panel.getByRole('button', { name: 'Mark all as read' })).toHaveCount(0);
      await panel.getByRole('button', { name: 'Show older' }).click();
      await expectPage(
        panel.getByText(/created “Given away” and assigned it to you/),
      ).toBeVisible();
      await expectAccessible(page);
      expectNoProblems();
    });
  });

  describe('a due reminder', () => {
    it('is shown on every page until it is dismissed in one of the tabs', async () => {
      const person = await makePerson(fixture, 'reminded.user', { Meeting: level });
      const meet = async (name: string) => {
        const inMinutes = (minutes: number) =>
          new Date(Date.now() + minutes * 60_000).toISOString().slice(0, 19).replace('T', ' ');
        const times = { dateStart: inMinutes(10), dateEnd: inMinutes(40) };
        const reminders = [{ type: 'Popup', seconds: 900 }];
        const values = { name, ...times, reminders, assignedUserId: person.id };
        return recordIn(await fixture.api().post('/Meeting', values));
      };
      await meet('Stand-up');
      const { page, expectNoProblems } = await fixture.open('/recent');
      await signIn(page, person);
      const reminder = page.getByRole('alert').filter({ hasText: 'Stand-up' });
      await expectPage(reminder).toContainText(/Meeting · in (9|10) minutes/);
      await expectAccessible(page);
      await expectNarrow(page);
      const other = await page.context().newPage();
      await other.goto('/profile');
      await expectPage(other.getByRole('alert').filter({ hasText: 'Stand-up' })).toBeVisible();
      await reminder.getByRole('button', { name: 'Dismiss Stand-up' }).click();
      await expectPage(reminder).toHaveCount(0);
      await other.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
      await expectPage(other.getByRole('alert').filter({ hasText: 'Stand-up' })).toHaveCount(0);
      await other.close();

      await meet('Review');
      await page.reload();
      await page.getByRole('button', { name: 'Open Review' }).click();
      await expectHeading(page, 'Review');
      await page.reload();
      await expectHeading(page, 'Review');
      await expectPage(page.getByRole('alert')).toHaveCount(0);
      expectNoProblems();
    });
  });
}
