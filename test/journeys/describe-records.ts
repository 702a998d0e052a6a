import type { Locator, Page } from '@playwright/test';
import { describe, expect, it } from 'vitest';
import { recordIn } from '../support/api-client.ts';
import { expectPage } from './browser.ts';
import { type ConsoleFixture, chooseMore, expectHeading } from './use-console.ts';

export function describeRecords(fixture: ConsoleFixture): void {
  describe('the record pages of the console', () => {
    it('create, edit, delete and restore a record and show errors at their fields', async () => {
      const { page, expectNoProblems } = await fixture.visit('/records/Account', {
        expectedStatuses: [400, 404],
      });
      await page.getByRole('link', { name: 'New Account' }).click();
      await expectPage(page.getByRole('textbox', { name: 'Name', exact: true })).toBeFocused();
      await page.getByLabel('Website').fill('https://acme.example');
      await page.getByRole('button', { name: 'Save' }).click();
      await expectPage(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveAttribute(
        'aria-invalid',
        'true',
      );
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Acme');
      await page
        .getByLabel('Description')
        .fill('<script>alert(1)</script><img src=x onerror=alert(1)>');
      await page.getByLabel('Type', { exact: true }).selectOption('Customer');
      await page.getByRole('button', { name: 'Save' }).click();
      await expectHeading(page, 'Acme');
      await expectPage(page.getByText('<script>alert(1)</script><img')).toBeVisible();
      await expectPage(page.getByText('Customer', { exact: true })).toBeVisible();

      await page.getByRole('button', { name: 'Edit' }).click();
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Acme Ltd');
      await page.getByRole('button', { name: 'Save' }).click();
      await expectHeading(page, 'Acme Ltd');

      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await expectHeading(page, 'Accounts');
      await page.goBack();
      await page.getByRole('button', { name: 'Restore' }).click();
      await expectHeading(page, 'Acme Ltd');
      expectNoProblems();
    });

    it('show earlier versions and their differences and restore an older value', async () => {
      const { id } = recordIn(
        await fixture.api().post('/Account', { name: 'Old', type: 'Customer' }),
      );
      await fixture.api().patch(`/Account/${id}`, { name: 'New' });
      const { page, expectNoProblems } = await fixture.visit(`/records/Account/${id}?tab=time`);
      await expectPage(page.getByText('Version 2 of 2')).toBeVisible();
      const line = page.getByRole('slider', { name: 'Version' });
      await line.focus();
      await page.keyboard.press('ArrowLeft');
      await expectPage(page.getByText('Version 1 of 2')).toBeVisible();
      await page.goBack();
      await expectPage(page.getByText('Version 2 of 2')).toBeVisible();
      await page.getByRole('button', { name: 'Restore Name' }).click();
      await expectPage(page.getByText('Version 3 of 3')).toBeVisible();
      await expectHeading(page, 'Old');
      await dragLeft(page, line);
      await expectPage(page.getByText('Version 1 of 3')).toBeVisible();
      expect(new URL(page.url()).searchParams.get('version')).toBe('1');
      expectNoProblems();
    });

    it('filter by nested conditions and keep them in the URL', async () => {
      for (const name of ['Filter one', 'Filter two', 'Other']) {
        await fixture.api().post('/Lead', { lastName: name, status: 'New' });
      }
      const { page, expectNoProblems } = await fixture.visit('/records/Lead');
      await page.getByRole('button', { name: 'Filter' }).click();
      const dialog = page.getByRole('dialog');
      const pick = async (line: number): Promise<void> => {
        await dialog.getByRole('combobox', { name: 'Field or link' }).nth(line).fill('last');
        await page.getByRole('option', { name: 'Last name' }).click();
      };
      await pick(0);
      await dialog.getByLabel('Operator').selectOption({ label: 'starts with' });
      await dialog.getByLabel('Value').fill('Filter');
      await dialog.getByRole('button', { name: 'Add group' }).click();
      await pick(1);
      await dialog.getByLabel('Operator').nth(1).selectOption({ label: 'ends with' });
      await dialog.getByLabel('Value').nth(1).fill('two');
      await dialog.getByRole('button', { name: 'Apply' }).click();
      await expectPage(page.getByText('1 record', { exact: true })).toBeVisible();
      await page.reload();
      await expectPage(page.getByRole('link', { name: 'Filter two' })).toBeVisible();
      await chooseMore(page, 'API request');
      await expectPage(page.getByRole('dialog').getByText("curl -H 'X-Api-Key")).toBeVisible();
      expectNoProblems();
    });
  });
}

/** Drags the thumb with the mouse to the left edge of the window. */
async function dragLeft(page: Page, thumb: Locator): Promise<void> {
  const { x = 0, y = 0, width = 0, height = 0 } = (await thumb.boundingBox()) ?? {};
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x / 2, y, { steps: 10 });
  await page.mouse.move(0, y);
  await page.mouse.up();
}
