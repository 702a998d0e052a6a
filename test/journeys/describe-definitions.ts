import { describe, expect, it } from 'vitest';
import { recordIn } from '../support/api-client.ts';
import { expectPage } from './browser.ts';
import { type ConsoleFixture, expectHeading } from './use-console.ts';

export function describeDefinitions(fixture: ConsoleFixture): void {
  describe('the data model pages', () => {
    it('create and remove an entity type with an immediately usable field and link', async () => {
      recordIn(await fixture.api().post('/Account', { name: 'Customer of a project' }));
      const { page, expectNoProblems } = await fixture.visit('/definitions', {
        expectedStatuses: [400, 404],
      });
      await page.getByRole('button', { name: 'New entity type' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name', { exact: false }).first().fill('project');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await expectPage(dialog.getByRole('alert')).toContainText('begin with a capital letter');
      await dialog.getByLabel('Name', { exact: false }).first().fill('Project');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await expectHeading(page, 'Project');

      await page.getByRole('button', { name: 'New field' }).click();
      await dialog.getByLabel('Type').selectOption('enum');
      await dialog.getByLabel('Name', { exact: false }).first().fill('phase');
      await dialog.getByLabel('Label').fill('Phase <b>now</b>');
      for (const option of ['Plan', 'Build']) {
        await dialog.getByLabel('Options').fill(option);
        await page.keyboard.press('Enter');
      }
      await dialog.getByRole('button', { name: 'Save' }).click();
      await expectPage(page.getByRole('row', { name: 'Phase <b>now</b>' })).toContainText('enum');

      await page.getByRole('tab', { name: 'Links' }).click();
      await page.getByRole('button', { name: 'New link' }).click();
      await dialog.getByLabel('Linked entity type').selectOption('Account');
      await dialog.getByLabel('Link name in Project').fill('account');
      await dialog.getByLabel('Reverse link name').fill('projects');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await expectPage(page.getByRole('row', { name: 'Account' })).toContainText('projects');

      await page.getByRole('link', { name: 'Projects', exact: true }).click();
      await page.getByRole('link', { name: 'New Project' }).click();
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Bridge');
      await page.getByLabel('Phase <b>now</b>').selectOption('Build');
      await page.getByRole('combobox', { name: 'Account' }).fill('Customer of a');
      await page.getByRole('option', { name: 'Customer of a project' }).click();
      await page.getByRole('button', { name: 'Save' }).click();
      await expectHeading(page, 'Bridge');
      await page.getByRole('link', { name: 'Customer of a project' }).click();
      await page.getByRole('tab', { name: 'Projects' }).click();
      await expectPage(
        page.getByRole('tabpanel').getByRole('link', { name: 'Bridge' }),
      ).toBeVisible();

      await page.goto('/definitions/Project?tab=options');
      await page.getByRole('button', { name: 'Remove entity type' }).click();
      await dialog.getByLabel('Type Project to continue').fill('Project');
      await dialog.getByRole('button', { name: 'Remove entity type' }).click();
      await expectHeading(page, 'Data model');
      await expectPage(page.getByRole('link', { name: 'Projects', exact: true })).toHaveCount(0);
      expectNoProblems();
    });

    it('edit a built-in field and reset it to its default', async () => {
      const { page, expectNoProblems } = await fixture.visit('/definitions/Lead?q=source');
      await page.getByRole('button', { name: 'Edit: Source' }).click();
      const dialog = page.getByRole('dialog', { name: 'Edit Source' });
      await dialog.getByLabel('Label').fill('Heard of us by');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('button', { name: 'Edit: Heard of us by' }).click();
      const again = page.getByRole('dialog', { name: 'Edit Heard of us by' });
      await again.getByRole('button', { name: 'Reset to default' }).click();
      const question = page.getByRole('dialog', { name: 'Reset Heard of us by?' });
      await question.getByLabel('Type source to continue').fill('source');
      await question.getByRole('button', { name: 'Reset to default' }).click();
      await expectPage(page.getByRole('button', { name: 'Edit: Source' })).toBeVisible();
      expectNoProblems();
    });

    it('arrange the fields of a record page and restore the default layout', async () => {
      // Empty fields are hidden, whatever the layout.
      const values = { lastName: 'Layout', industry: 'Banking', website: 'https://layout.example' };
      const lead = recordIn(await fixture.api().post('/Lead', values));
      const { page, expectNoProblems } = await fixture.visit('/definitions/Lead?tab=layouts');
      const fields = page.getByRole('tabpanel').getByRole('listitem');
      const field = (name: string) => fields.filter({ hasText: name });
      await page.getByRole('button', { name: 'Add panel' }).click();
      const panels = page.getByRole('textbox', { name: 'Panel name' });
      await panels.last().fill('Money');
      await page.getByRole('button', { name: 'Remove Industry' }).click();
      await page.getByRole('combobox', { name: 'Add field' }).last().fill('Indus');
      await page.getByRole('option', { name: 'Industry' }).click();
      await field('Status').dragTo(field('Name').first());
      await expectPage(fields.first()).toContainText('Status');
      await page.getByRole('button', { name: 'Remove Website' }).click();
      await page.getByRole('checkbox', { name: 'Full width: Status' }).check();
      await page.getByRole('button', { name: 'Save' }).click();
      await expectPage(page.getByText('Saved', { exact: true })).toBeVisible();
      await page.goto(`/records/Lead/${lead.id}`);
      const money = page.getByRole('region', { name: 'Money' });
      await expectPage(money.getByText('Industry')).toBeVisible();
      await expectPage(page.getByText('Website')).toHaveCount(0);

      await page.goto('/definitions/Lead?tab=layouts');
      await expectPage(panels.last()).toHaveValue('Money');
      await expectPage(page.getByRole('checkbox', { name: 'Full width: Status' })).toBeChecked();
      await page.getByRole('button', { name: 'Reset to default' }).click();
      await expectPage(panels.last()).not.toHaveValue('Money');
      await page.getByText('List', { exact: true }).click();
      await page.getByRole('button', { name: 'Move Name down' }).click();
      await page.getByRole('button', { name: 'Save' }).click();
      await expectPage(page.getByRole('button', { name: 'Save' })).toBeDisabled();
      await page.goto('/records/Lead');
      await expectPage(page.getByRole('columnheader').nth(1)).toContainText('Name');
      const reset = { scope: 'Lead', name: 'list' };
      await fixture.api().post('/Layout/action/resetToDefault', reset);
      expectNoProblems();
    });

    it('show the links of an entity type and copy the names of its events', async () => {
      const { page, expectNoProblems } = await fixture.visit('/definitions?tab=diagram');
      await page.getByLabel('Show links for').selectOption('Opportunity');
      const relations = page.getByRole('table', { name: 'Links between entity types' });
      await expectPage(relations.getByRole('row', { name: 'Opportunity' }).first()).toBeVisible();
      await expectPage(relations.getByRole('row', { name: 'Document cases' })).toHaveCount(0);
      await page.reload();
      await expectPage(page.getByLabel('Show links for')).toHaveValue('Opportunity');
      await page
        .getByRole('region', { name: 'Link diagram' })
        .getByRole('link', { name: 'Opportunity' })
        .click();
      await page.getByRole('tab', { name: 'Events' }).click();
      await page.getByRole('searchbox').fill('stage');
      // The list and the address follow the input with a delay.
      await expectPage(page.getByRole('cell', { name: 'Opportunity.create' })).toHaveCount(0);
      await page.getByRole('button', { name: 'Copy: Opportunity.fieldUpdate.stage' }).click();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
        'Opportunity.fieldUpdate.stage',
      );
      await page.goBack();
      await expectPage(page.getByRole('cell', { name: 'Opportunity.create' })).toBeVisible();
      await page.goBack();
      await expectPage(page.getByRole('tab', { name: 'Fields', selected: true })).toBeVisible();
      expectNoProblems();
    });
  });
}
