import { describe, it } from 'vitest';
import { recordIn } from '../support/api-client.ts';
import { expectAccessible, expectPage } from './browser.ts';
import type { ConsoleFixture } from './use-console.ts';

export function describeStream(fixture: ConsoleFixture): void {
  describe('the stream of a record', () => {
    it('shows the values before and after a change', async () => {
      const api = fixture.api();
      const { id } = recordIn(await api.post('/Account', { name: 'Before', type: 'Customer' }));
      await api.patch(`/Account/${id}`, { name: 'After', phoneNumber: '+4930123456' });
      const { page, expectNoProblems } = await fixture.visit(`/records/Account/${id}?tab=stream`);
      const list = page.getByRole('list', { name: 'Activity' });
      const change = list
        .getByRole('listitem')
        .filter({ hasText: 'Name: Before → changed to After' });
      await expectPage(change.first()).toBeVisible();
      await expectPage(list.getByRole('link', { name: '+4930123456' })).toBeVisible();
      await page.getByText('Posts', { exact: true }).click();
      await expectPage(page.getByText('No activity yet')).toBeVisible();
      await page.goBack();
      await expectPage(change.first()).toBeVisible();
      await expectAccessible(page);
      expectNoProblems();
    });

    it('omits derived values, and writes percentages with their unit', async () => {
      const api = fixture.api();
      const deal = {
        name: 'Weighted',
        amount: 100,
        amountCurrency: 'USD',
        closeDate: '2030-01-31',
      };
      const made = recordIn(await api.post('/Opportunity', { ...deal, probability: 20 }));
      await api.patch(`/Opportunity/${made.id}`, { probability: 50 });
      const { page, expectNoProblems } = await fixture.visit(
        `/records/Opportunity/${made.id}?tab=stream`,
      );
      const list = page.getByRole('list', { name: 'Activity' });
      await expectPage(list.getByText(/Probability: 20%.*50%/)).toBeVisible();
      await expectPage(list.getByText('Weighted amount')).toHaveCount(0);
      expectNoProblems();
    });

    it('formats the Markdown of posts', async () => {
      const api = fixture.api();
      const { id } = recordIn(await api.post('/Account', { name: 'Formatted' }));
      const post = 'Talked to **Ines**:\n\n- offer\n- `terms`\n\n<i>As typed</i>';
      await api.post('/Note', { type: 'Post', parentType: 'Account', parentId: id, post });
      const { page, expectNoProblems } = await fixture.visit(`/records/Account/${id}?tab=stream`);
      const list = page.getByRole('list', { name: 'Activity' });
      await expectPage(list.getByText('Ines', { exact: true })).toHaveRole('strong');
      await expectPage(list.getByRole('listitem').getByRole('listitem')).toHaveText([
        'offer',
        'terms',
      ]);
      await expectPage(list.getByText('<i>As typed</i>')).toBeVisible();
      await expectAccessible(page);
      expectNoProblems();
    });

    it('turns URLs in posts into links, and edits, pins, reacts to and deletes a post', async () => {
      const api = fixture.api();
      const { id } = recordIn(await api.post('/Account', { name: 'With posts' }));
      const { page, expectNoProblems } = await fixture.visit(`/records/Account/${id}?tab=stream`);
      await page.getByLabel('Write a post').fill('See https://example.org/a. <b>javascript:x</b>');
      await page.getByRole('button', { name: 'Post', exact: true }).click();
      const list = page.getByRole('list', { name: 'Activity' });
      await expectPage(list.getByRole('link', { name: 'https://example.org/a' })).toHaveAttribute(
        'rel',
        'noopener noreferrer',
      );
      await expectPage(list.getByText('. <b>javascript:x</b>')).toBeVisible();

      await list.getByRole('button', { name: 'Add reaction' }).click();
      await page.getByRole('menuitem', { name: 'Like', exact: true }).click();
      const like = list.getByRole('button', { name: 'Like: 1' });
      await expectPage(like).toHaveAttribute('aria-pressed', 'true');
      await like.click();
      await expectPage(like).toHaveCount(0);

      await list.getByRole('button', { name: 'Post actions' }).click();
      await page.getByRole('menuitem', { name: 'Pin', exact: true }).click();
      const pinned = page.getByRole('list', { name: 'Pinned posts' });
      await expectPage(pinned.getByRole('listitem')).toHaveCount(1);
      await expectAccessible(page);

      await list.getByRole('button', { name: 'Post actions' }).click();
      await page.getByRole('menuitem', { name: 'Edit' }).click();
      await list.getByLabel('Edit post').fill('Shorter');
      await list.getByRole('button', { name: 'Save' }).click();
      await expectPage(list.getByText('Shorter', { exact: true })).toBeVisible();
      await expectPage(list.getByText('(edited)')).toBeVisible();

      await list.getByRole('button', { name: 'Post actions' }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await expectPage(page.getByText('Shorter', { exact: true })).toHaveCount(0);
      expectNoProblems();
    });
  });
}
