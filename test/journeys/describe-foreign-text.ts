import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { recordIn } from '../support/api-client.ts';
import { expectPage } from './browser.ts';
import type { ConsoleFixture } from './use-console.ts';

const hostile = '<img src=x onerror=window.ran=1><script>window.ran=1</script>';
const hasRun = 'window.ran !== undefined';
const documents = {
  'image/svg+xml': '<svg xmlns="http://www.w3.org/2000/svg" onload="window.ran=1"/>',
  'text/html': '<script>window.ran=1; opener.ran=1</script>',
};

export function describeForeignText(fixture: ConsoleFixture): void {
  const make = async (entity: string, values: object): Promise<string> =>
    recordIn(await fixture.api().post(`/${entity}`, values)).id;
  const upload = async (name: string, type: string, content: string): Promise<string> => {
    const file = `data:${type};base64,${Buffer.from(content).toString('base64')}`;
    const place = { role: 'Attachment', parentType: 'Case', field: 'attachments' };
    return make('Attachment', { name, type, file, ...place });
  };

  describe('text written by other users', () => {
    it('is never run as markup in fields, histories, file names, posts, webhooks and errors', async () => {
      const attachmentsIds = [await upload(`${hostile}.txt`, 'text/plain', hostile)];
      const id = await make('Case', { name: hostile, description: hostile, attachmentsIds });
      await make('Note', {
        type: 'Post',
        parentType: 'Case',
        parentId: id,
        post: `${hostile} post`,
      });
      const url = fixture.receiver().url('/hostile');
      const webhook = await make('Webhook', { event: 'Case.update', url, description: hostile });
      await fixture.api().patch(`/Case/${id}`, { description: `${hostile} again` });
      await expectPage.poll(() => fixture.receiver().requests('/hostile').length).toBe(1);

      const { page, expectNoProblems } = await fixture.visit(`/records/Case/${id}`, {
        expectedStatuses: [500],
      });
      const shown = async (path: string, text = hostile): Promise<void> => {
        await page.goto(path);
        await expectPage(page.getByText(text).first(), path).toBeVisible();
        expect(await page.evaluate(hasRun), path).toBe(false);
      };
      await shown(`/records/Case/${id}`, `${hostile}.txt`);
      await shown(`/records/Case/${id}`, `${hostile} again`);
      await shown(`/records/Case/${id}?tab=time`, `${hostile} again`);
      await shown(`/records/Case/${id}?tab=stream`, `${hostile} post`);
      await shown('/records/Case');
      await page.goto(`/webhooks/${webhook}`);
      await expectPage(page.getByLabel('Description')).toHaveValue(hostile);
      await page.goto(`/webhooks/${webhook}?tab=deliveries`);
      await page.getByRole('button', { name: /^Details of/ }).click();
      await expectPage(page.getByRole('dialog').getByText(`${hostile} again`)).toBeVisible();
      await page.route(`**/api/v1/Case/${id}`, (route) =>
        route.fulfill({ status: 500, json: { message: hostile } }),
      );
      await shown(`/records/Case/${id}`);
      expectNoProblems();
    });

    it('is downloaded instead of opened as an HTML page or an SVG image', async () => {
      const { page, expectNoProblems } = await fixture.visit('/records/Case');
      for (const [type, content] of Object.entries(documents)) {
        const path = `/api/v1/Attachment/file/${await upload('drawing', type, content)}`;
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          // Like following a link of the console in the same tab.
          page.evaluate(`location.href = '${path}'`),
        ]);
        expect(readFileSync(await download.path(), 'utf8')).toBe(content);
        const headers = (await page.request.get(path)).headers();
        expect(headers['content-type'], type).toBe('application/octet-stream');
        expect(headers['content-security-policy'], type).toBe("default-src 'none'; sandbox");
        expect(await page.evaluate(hasRun), type).toBe(false);
      }
      expectNoProblems();
    });
  });
}
