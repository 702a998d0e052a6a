import { describe, expect, it } from 'vitest';
import { recordIn } from '../support/api-client.ts';
import { expectPage } from './browser.ts';
import { type ConsoleStand, expectHeading } from './use-console.ts';

export function describeDefinitions(stand: ConsoleStand): void {
  describe('definitions', () => {
    it('makes an entity type with a field and a link, which are used at once, and takes them away', async () => {
      recordIn(await stand.api().post('/Account', { name: 'Customer of a project' }));
      const { page, expectNoTrouble } = await stand.visit('/definitions', {
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
      await dialog.getByLabel('Entity type on the other side').selectOption('Account');
      await dialog.getByLabel('Name in Project').fill('account');
      await dialog.getByLabel('Name on the other side').fill('projects');
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
      await expectPage(page.getByRole('link', { name: 'Bridge' })).toBeVisible();

      await page.goto('/definitions/Project?tab=options');
      await page.getByRole('button', { name: 'Remove the entity type' }).click();
      await dialog.getByLabel('Type Project to go on').fill('Project');
      await dialog.getByRole('button', { name: 'Remove the entity type' }).click();
      await expectHeading(page, 'Definitions');
      await expectPage(page.getByRole('link', { name: 'Projects', exact: true })).toHaveCount(0);
      expectNoTrouble();
    });

    it('changes a field that is shipped, and takes that back', async () => {
      const { page, expectNoTrouble } = await stand.visit('/definitions/Lead?q=source');
      await page.getByRole('button', { name: 'Edit: Source' }).click();
      const dialog = page.getByRole('dialog', { name: 'Change Source' });
      await dialog.getByLabel('Label').fill('Heard of us by');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('button', { name: 'Edit: Heard of us by' }).click();
      const again = page.getByRole('dialog', { name: 'Change Heard of us by' });
      await again.getByRole('button', { name: 'As shipped' }).click();
      const question = page.getByRole('dialog', { name: 'as it was shipped?' });
      await question.getByLabel('Type source to go on').fill('source');
      await question.getByRole('button', { name: 'As shipped' }).click();
      await expectPage(page.getByRole('button', { name: 'Edit: Source' })).toBeVisible();
      expectNoTrouble();
    });

    it('shows what is linked with a type, and copies the names of its events', async () => {
      const { page, expectNoTrouble } = await stand.visit('/definitions?tab=diagram');
      await page.getByLabel('Links of').selectOption('Opportunity');
      const relations = page.getByRole('table', { name: 'Links between entity types' });
      await expectPage(relations.getByRole('row', { name: 'Opportunity' }).first()).toBeVisible();
      await expectPage(relations.getByRole('row', { name: 'Document cases' })).toHaveCount(0);
      await page.reload();
      await expectPage(page.getByLabel('Links of')).toHaveValue('Opportunity');
      await page
        .getByRole('region', { name: 'Diagram of links' })
        .getByRole('link', { name: 'Opportunity' })
        .click();
      await page.getByRole('tab', { name: 'Events' }).click();
      await page.getByRole('searchbox').fill('stage');
      // The list, and with it the address, follow the text a moment later.
      await expectPage(page.getByRole('cell', { name: 'Opportunity.create' })).toHaveCount(0);
      await page.getByRole('button', { name: 'Copy: Opportunity.fieldUpdate.stage' }).click();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
        'Opportunity.fieldUpdate.stage',
      );
      await page.goBack();
      await expectPage(page.getByRole('cell', { name: 'Opportunity.create' })).toBeVisible();
      await page.goBack();
      await expectPage(page.getByRole('tab', { name: 'Fields', selected: true })).toBeVisible();
      expectNoTrouble();
    });
  });
}
