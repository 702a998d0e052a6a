import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { describe, expect, it } from 'vitest';
import { listIn, recordIn } from '../support/api-client.ts';
import { expectAccessible, expectPage } from './browser.ts';
import { type ConsoleFixture, chooseMore, expectHeading } from './use-console.ts';

const file = (...rows: readonly string[]) => ({
  name: 'accounts.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(['Name;Site;Ignored', ...rows].join('\r\n')),
});

async function chooseFile(page: Page, chosen: ReturnType<typeof file>): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a file' }).click();
  await (await choosing).setFiles(chosen);
}

export function describeImport(fixture: ConsoleFixture): void {
  describe('an import', () => {
    it('is checked, carried out and undone, and its columns are remembered', async () => {
      await fixture.api().post('/Account', { name: 'Imported before' });
      const { page, expectNoProblems } = await fixture.visit('/import');
      await expectHeading(page, 'Import');
      await page.getByLabel('Import as').selectOption('Account');
      await chooseFile(
        page,
        file('Imported one;https://one.example;x', 'Imported before;;', ';https://none.example;'),
      );
      await expectPage(page.getByLabel('Field for Name')).toHaveValue('name');
      await page.getByLabel('Field for Site').selectOption('website');
      await expectAccessible(page);

      await page.getByRole('button', { name: 'Check the file' }).click();
      const check = page.getByRole('region', {
        name: 'Check finished: nothing has been changed yet',
      });
      await expectPage(check).toContainText('New: 1');
      await expectPage(check).toContainText('Skipped duplicates: 1');
      await expectPage(check).toContainText('Rejected: 1');
      await expectPage(check.getByRole('row', { name: /Invalid value: Name/ })).toContainText('3');
      await expectPage(check.getByRole('link', { name: /Download the rows/ })).toBeVisible();
      await expectAccessible(page);

      await page.getByRole('button', { name: 'Import', exact: true }).click();
      const result = page.getByRole('region', { name: 'Import finished' });
      await expectPage(result).toContainText('New: 1');
      await result.getByRole('button', { name: 'Undo the import' }).click();
      await expectPage(result).toContainText('This import was undone.');
      await result.getByRole('link', { name: /Show/ }).click();
      await expectPage(page.getByRole('link', { name: 'Imported before' })).toBeVisible();
      await expectPage(page.getByRole('link', { name: 'Imported one' })).toHaveCount(0);

      await page.goto('/import');
      await page.getByLabel('Import as').selectOption('Account');
      await chooseFile(page, file('Imported two;;'));
      await expectPage(page.getByLabel('Field for Site')).toHaveValue('website');
      expectNoProblems();
    });

    it('reads a spreadsheet as a list exports it', async () => {
      const values = { name: 'Exported, "one"', website: 'https://exported.example' };
      const { id } = recordIn(await fixture.api().post('/Account', values));
      const { page, expectNoProblems } = await fixture.visit(
        '/records/Account?q=Exported&columns=name,website,createdAt',
      );
      await chooseMore(page, 'Export');
      await page.getByRole('radio', { name: 'Excel (XLSX)' }).click();
      await expectPage(page.getByRole('radio', { name: 'Excel (XLSX)' })).toBeChecked();
      await expectAccessible(page);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download' }).click(),
      ]);
      expect(download.suggestedFilename()).toBe('Export_Account.xlsx');
      await fixture.api().delete(`/Account/${id}`);

      await page.goto('/import');
      await page.getByLabel('Import as').selectOption('Account');
      const choosing = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Choose a file' }).click();
      const buffer = readFileSync(await download.path());
      await (await choosing).setFiles({ name: 'accounts.xlsx', mimeType: '', buffer });
      await expectPage(page.getByLabel('Field for Website')).toHaveValue('website');
      await expectPage(page.getByText('Exported, "one"')).toBeVisible();
      await page.getByRole('button', { name: 'Import', exact: true }).click();
      const result = page.getByRole('region', { name: 'Import finished' });
      await expectPage(result).toContainText('New: 1');
      const found = await fixture.api().get('/Account?textFilter=Exported');
      expect(listIn(found).list).toMatchObject([{ name: values.name, website: values.website }]);

      await page.goto('/import');
      const again = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Choose a file' }).click();
      await (await again).setFiles({
        name: 'old.xls',
        mimeType: '',
        buffer: Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      });
      await expectPage(page.getByRole('alert')).toContainText('not a readable Excel file');
      await page.goto('/records/Account');
      await chooseMore(page, 'Export');
      await page.getByRole('radio', { name: 'CSV' }).click();
      await expectPage(page.getByRole('radio', { name: 'CSV' })).toBeChecked();
      expectNoProblems();
    });
  });
}
