import { describe, it } from 'vitest';
import { recordIn } from '../support/api-client.ts';
import { expectPage, signIn } from './browser.ts';
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
        User: { read: 'team' },
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
      await expectPage(page.getByLabel('Assigned user', { exact: true })).toHaveValue(
        'Person sales',
      );
      await page.getByRole('button', { name: 'Save' }).click();
      await expectHeading(page, 'First account');
      await expectPage(page.getByRole('link', { name: 'Person sales' })).toBeVisible();
      expectNoProblems();
    });

    it('shows at the field why an assignment is not allowed', async () => {
      const person = await makeSalesperson(fixture, 'unassigned');
      const { page, expectNoProblems } = await fixture.open('/create/Account', {
        expectedStatuses: [403],
      });
      await signIn(page, person);
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Of no user');
      await page.getByRole('button', { name: 'Assigned User: clear' }).click();
      await page.getByRole('button', { name: 'Save' }).click();
      const field = page.getByLabel('Assigned user', { exact: true });
      await expectPage(field).toHaveAttribute('aria-invalid', 'true');
      await expectPage(field).toHaveAccessibleDescription(
        'Assign this to a user or to one of your teams.',
      );
      expectNoProblems();
    });
  });
}
