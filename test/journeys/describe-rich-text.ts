import { describe, expect, it } from 'vitest';
import { recordIn } from '../support/api-client.ts';
import { expectAccessible, expectPage } from './browser.ts';
import { type ConsoleFixture, expectNarrow } from './use-console.ts';

const picture = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
const hostile = [
  '<p style="color:red" onclick="window.ran=1">Body</p><img src=x onerror="window.ran=1">',
  '<style>h1 { display: none }</style><script>window.ran=1</script><base href="https://evil.example/">',
  '<svg onload="window.ran=1"><style><img src=x onerror=window.ran=1></style></svg>',
  '<iframe srcdoc="<script>parent.ran=1</script>"></iframe><form action="/api/v1/x"><input name=y></form>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=window.ran=1&gt;">',
  '</mglyph></table></mtext></math><a href="javascript:window.ran=1">script link</a><div id="root">x</div>',
  '<a href="https://site.example/a">web link</a><img src="https://tracker.example/p.gif" alt="Logo">',
  `<img src="${picture}" alt="Dot"><img src="/api/v1/App/user" alt="not a file">`,
].join('');

export function describeRichText(fixture: ConsoleFixture): void {
  const make = async (values: object): Promise<string> =>
    recordIn(await fixture.api().post('/KnowledgeBaseArticle', values)).id;
  const bodyOf = async (id: string): Promise<unknown> =>
    recordIn(await fixture.api().get(`/KnowledgeBaseArticle/${id}`))['body'];

  describe('a rich text', () => {
    it('is shown without scripts, styles, forms and images of other servers', async () => {
      const id = await make({ name: 'Hostile', body: hostile });
      const address = `/records/KnowledgeBaseArticle/${id}`;
      const { page, expectNoProblems } = await fixture.visit(address);
      const fields = page.getByRole('main');
      const link = fields.getByRole('link', { name: 'web link' });
      await expectPage(link).toHaveAttribute('rel', 'noopener noreferrer nofollow');
      await expectPage(link).toHaveAttribute('target', '_blank');
      const image = fields.getByRole('link', { name: 'Image: Logo (tracker.example)' });
      await expectPage(image).toHaveAttribute('href', 'https://tracker.example/p.gif');
      await expectPage(fields.getByRole('img', { name: 'Dot' })).toHaveAttribute('src', picture);
      await expectPage(fields.getByText('script link')).toBeVisible();
      await expectPage(fields.getByRole('link', { name: 'script link' })).toHaveCount(0);
      await expectPage(fields.locator('form, iframe, svg image, base')).toHaveCount(0);
      await expectPage(fields.locator('[onclick], #root')).toHaveCount(0);
      await expectPage(fields.getByText('Body', { exact: true }).last()).not.toHaveCSS(
        'color',
        'rgb(255, 0, 0)',
      );
      expect(await page.evaluate('window.ran')).toBeUndefined();

      await page.goto('/records/KnowledgeBaseArticle?columns=name,body');
      await expectPage(page.getByRole('cell', { name: /^Body/ })).toBeVisible();
      expect(await page.evaluate('window.ran')).toBeUndefined();
      expectNoProblems();
    });

    it('is edited with formatting, lists and links, and pasted without what is not supported', async () => {
      const id = await make({ name: 'Formatted', body: 'plain\ntext' });
      const address = `/records/KnowledgeBaseArticle/${id}`;
      const { page, expectNoProblems } = await fixture.visit(address);
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      const editor = page.getByRole('textbox', { name: 'Body' });
      await expectPage(editor).toContainText('plain');
      await expectAccessible(page);
      await expectNarrow(page);
      await editor.click();
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.type('Title');
      await page.getByRole('button', { name: 'Heading 2' }).click();
      await expectPage(editor.locator('h2')).toHaveText('Title');
      await expectPage(editor).toBeFocused();
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Bulleted list' }).click();
      await expectPage(editor.locator('li')).toHaveCount(1);
      await expectPage(editor).toBeFocused();
      await page.keyboard.press('ControlOrMeta+B');
      await page.keyboard.type('bold');
      await expectPage(editor.locator('strong')).toHaveText('bold');
      await page.keyboard.press('ControlOrMeta+B');
      await page.keyboard.press('Enter');
      await expectPage(editor.locator('li')).toHaveCount(2);
      await page.keyboard.type('site');
      await page.keyboard.press('Shift+Home');
      await page.keyboard.press('ControlOrMeta+K');
      await page.getByLabel('Link address').fill('site.example/a');
      await page.getByRole('button', { name: 'Set link' }).click();
      await expectPage(editor.locator('a')).toHaveText('site');
      await expectPage(editor).toBeFocused();
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Enter');
      await page.evaluate(pasteScript);
      await page.getByRole('button', { name: 'Save' }).click();
      await expectPage(page.getByRole('button', { name: 'Edit', exact: true })).toBeVisible();
      const fields = page.getByRole('tabpanel');
      await expectPage(fields.getByRole('heading', { name: 'Title' })).toBeVisible();
      const saved = String(await bodyOf(id));
      expect(saved).toContain('<h2>Title</h2><ul><li><p><strong>bold</strong></p></li><li><p><a ');
      expect(saved).toMatch(/href="(?:https:\/\/)?site\.example\/a"/);
      expect(saved).toContain('<p>from elsewhere</p>');
      expect(saved).not.toMatch(/style|class|script|tracker\.example\/p\.gif" ?\/?>$/);
      await expectPage(fields.getByRole('link', { name: 'site' })).toHaveAttribute(
        'href',
        'https://site.example/a',
      );
      expectNoProblems();
    });

    it('keeps formatting that the editor does not support until the user chooses the editor', async () => {
      const body = '<table><tbody><tr><td style="color:red">cell</td></tr></tbody></table>';
      const id = await make({ name: 'Table', body });
      const address = `/records/KnowledgeBaseArticle/${id}`;
      const { page, expectNoProblems } = await fixture.visit(address);
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      const source = page.getByRole('textbox', { name: 'Body' });
      await expectPage(source).toHaveValue(body);
      await expectPage(page.getByText(/does not support/)).toBeVisible();
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Table, renamed');
      await page.getByRole('button', { name: 'Save' }).click();
      await expectPage(page.getByRole('heading', { name: 'Table, renamed' })).toBeVisible();
      expect(await bodyOf(id)).toBe(body);

      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      await source.fill('<p>now simple</p>');
      await page.getByRole('button', { name: 'Use the editor' }).click();
      await page.getByRole('textbox', { name: 'Body' }).press('ControlOrMeta+End');
      await page.keyboard.type(' text');
      await page.getByRole('button', { name: 'Edit as HTML' }).click();
      await expectPage(source).toHaveValue('<p>now simple text</p>');
      expectNoProblems();
    });
  });
}

/** Pastes HTML as other programs write it. */
const pasteScript = `(() => {
  const data = new DataTransfer();
  data.setData('text/html', '<meta charset="utf-8"><style>p {}</style><p class="x" style="color:red" ' +
    'onclick="window.ran=1">from elsewhere</p>');
  document.activeElement.dispatchEvent(
    new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
  );
})()`;
