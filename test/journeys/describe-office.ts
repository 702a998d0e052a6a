import { describe, it } from 'vitest';
import { recordIn } from '../support/api-client.ts';
import { expectAccessible, expectPage, signIn } from './browser.ts';
import { type ConsoleFixture, expectHeading } from './use-console.ts';

const password = 'correct horse battery';
const ofTeam = { create: 'yes', read: 'team', edit: 'team', delete: 'own', stream: 'team' };

/** Creates a salesperson of a team, with the given role, and returns their credentials and ids. */
async function makeSalesperson(fixture: ConsoleFixture, userName: string, role: object = {}) {
  const api = fixture.api();
  const { id: teamId } = recordIn(await api.post('/Team', { name: `Team of ${userName}` }));
  const { id: roleId } = recordIn(
    await api.post('/Role', {
      name: `Role of ${userName}`,
      assignmentPermission: 'team',
      data: {
        Account: ofTeam,
        Contact: ofTeam,
        Meeting: ofTeam,
        Task: ofTeam,
        User: { read: 'all' },
      },
      ...role,
    }),
  );
  const { id } = recordIn(
    await api.post('/User', {
      userName,
      lastName: `Person ${userName}`,
      type: 'regular',
      password,
      rolesIds: [roleId],
      teamsIds: [teamId],
    }),
  );
  return { id, teamId, userName, password };
}

export function describeOffice(fixture: ConsoleFixture): void {
  describe("a salesperson's first day", () => {
    it('creates a record that is assigned to the salesperson, whose role allows no other assignment', async () => {
      const person = await makeSalesperson(fixture, 'sales');
      const { page, expectNoProblems } = await fixture.open('/create/Account');
      await signIn(page, person);
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('First account');
      await expectPage(page.getByRole('combobox', { name: 'Assigned user' })).toHaveValue(
        'Person sales',
      );
      await page.getByRole('button', { name: 'Save' }).click();
      await expectHeading(page, 'First account');
      await expectPage(page.getByRole('link', { name: 'Person sales' })).toBeVisible();
      expectNoProblems();
    });

    it('offers no change of a record of others, and says why', async () => {
      const person = await makeSalesperson(fixture, 'reader', {
        data: { Account: { ...ofTeam, read: 'all' } },
      });
      const { id } = recordIn(await fixture.api().post('/Account', { name: 'Of others' }));
      const { page, expectNoProblems } = await fixture.open(`/records/Account/${id}?mode=edit`);
      await signIn(page, person);
      await expectHeading(page, 'Of others');
      const edit = page.getByRole('button', { name: 'Edit' });
      await expectPage(edit).toBeDisabled();
      await edit.hover();
      await expectPage(page.getByRole('tooltip')).toHaveText(
        'You can only edit records that are assigned to you or to one of your teams.',
      );
      await expectPage(page.getByRole('button', { name: 'Delete' })).toBeDisabled();
      await expectPage(page.getByRole('button', { name: 'Save' })).toHaveCount(0);
      await expectAccessible(page);
      expectNoProblems();
    });

    it('explains that a type of record is not accessible', async () => {
      const person = await makeSalesperson(fixture, 'excluded');
      const { page, expectNoProblems } = await fixture.open('/records/Case');
      await signIn(page, person);
      await expectHeading(page, 'No access');
      await expectPage(page.getByText('this type of record (Case)')).toBeVisible();
      await page.goto('/create/Case');
      await expectHeading(page, 'No access');
      expectNoProblems();
    });

    it('shows at the field why an assignment is not allowed', async () => {
      const person = await makeSalesperson(fixture, 'unassigned');
      const { page, expectNoProblems } = await fixture.open('/create/Account', {
        expectedStatuses: [403],
      });
      await signIn(page, person);
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Of a stranger');
      const field = page.getByRole('combobox', { name: 'Assigned user' });
      await field.fill('admin');
      await page.getByRole('option', { name: 'admin', exact: true }).click();
      await page.getByRole('button', { name: 'Save' }).click();
      await expectPage(field).toHaveAttribute('aria-invalid', 'true');
      await expectPage(field).toHaveAccessibleDescription(
        'You can only assign this to yourself and to members of your teams.',
      );
      expectNoProblems();
    });
  });
}
