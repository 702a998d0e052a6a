import { TOTP } from 'otpauth';
import { describe, expect, it } from 'vitest';
import { recordIn } from '../support/api-client.ts';
import { expectAccessible, expectPage, signIn } from './browser.ts';
import { type ConsoleFixture, expectHeading } from './use-console.ts';

const password = 'correct horse battery';
const all = { create: 'yes', read: 'all', edit: 'all', delete: 'all', stream: 'all' };

/** Creates a user who may change their own details, and returns their credentials. */
async function makePerson(fixture: ConsoleFixture, userName: string) {
  const data = { Account: all, Task: all, User: { read: 'own', edit: 'own' } };
  const role = recordIn(await fixture.api().post('/Role', { name: `Role of ${userName}`, data }));
  const user = { userName, lastName: userName, type: 'regular', password, rolesIds: [role.id] };
  recordIn(await fixture.api().post('/User', user));
  return { userName, password };
}

export function describeProfile(fixture: ConsoleFixture): void {
  describe('the profile', () => {
    it('changes the name and the password, and ends the other session', async () => {
      const person = await makePerson(fixture, 'changing');
      const { page, context } = await fixture.open('/', { expectedStatuses: [401, 403] });
      await signIn(page, person);
      await page.getByRole('button', { name: 'Account menu for changing' }).click();
      await page.getByRole('menuitem', { name: 'Profile' }).click();
      await expectHeading(page, 'Profile');
      await expectAccessible(page);
      await page.getByRole('textbox', { name: 'First name' }).fill('Erin');
      await page.getByRole('button', { name: 'Save' }).click();
      await expectPage(page.getByText('Saved', { exact: true })).toBeVisible();
      await expectPage(page.getByRole('table', { name: 'Sessions' })).toContainText('This session');

      await page.getByLabel('Current password', { exact: true }).fill('wrong');
      await page.getByLabel('New password', { exact: true }).fill('another horse battery');
      await page.getByLabel('Repeat new password').fill('another horse batterie');
      await page.getByRole('button', { name: 'Change password' }).click();
      await expectPage(page.getByText('The two passwords differ.')).toBeVisible();
      await page.getByLabel('Repeat new password').fill('another horse battery');
      await page.getByRole('button', { name: 'Change password' }).click();
      await expectPage(page.getByText('The password is wrong.')).toBeVisible();
      await page.getByLabel('Current password', { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Change password' }).click();
      await expectPage(page.getByText('Password changed')).toBeVisible();
      await page.reload();
      await expectHeading(page, 'Profile');
      await expectPage(page.getByRole('textbox', { name: 'First name' })).toHaveValue('Erin');

      await context.clearCookies();
      await page.goto('/profile');
      await signIn(page, { ...person, password: 'another horse battery' });
      const sessions = page.getByRole('table', { name: 'Sessions' });
      await sessions.getByRole('button', { name: /^End session/ }).click();
      await expectPage(sessions.getByRole('row')).toHaveCount(2);
    });

    it('sets the picture that others see, and removes it', async () => {
      const person = await makePerson(fixture, 'pictured');
      const { page, expectNoProblems } = await fixture.open('/profile');
      await signIn(page, person);
      const picture = page.locator('section', { hasText: 'Your picture' }).locator('img');
      const input = page.locator('input[type=file]');
      const text = Buffer.from('no picture');
      await input.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: text });
      await expectPage(page.getByText(/^Your browser cannot read this picture/)).toBeVisible();
      const pixel =
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
      await input.setInputFiles({
        name: 'me.png',
        mimeType: 'image/png',
        buffer: Buffer.from(pixel, 'base64'),
      });
      await expectPage(picture).toHaveJSProperty('naturalWidth', 256);
      await expectAccessible(page);
      const other = await fixture.visit('/people');
      const row = other.page.getByRole('row').filter({ hasText: 'pictured' });
      await expectPage(row.locator('img')).toHaveJSProperty('naturalWidth', 256);
      other.expectNoProblems();
      await page.getByRole('button', { name: 'Remove picture' }).click();
      await expectPage(picture).toHaveCount(0);
      expectNoProblems();
    });

    it('determines how dates are written, typed and picked, and in which time zone', async () => {
      const person = await makePerson(fixture, 'punctual');
      const { page } = await fixture.open('/profile', { expectedStatuses: [401] });
      await signIn(page, person);
      await page.getByLabel('Date format').selectOption('DD.MM.YYYY');
      await page.getByLabel('Time format').selectOption('HH:mm');
      await page.getByLabel('First day of the week').selectOption({ label: 'Saturday' });
      await page.getByRole('combobox', { name: 'Time zone' }).fill('Tokyo');
      await page.getByRole('option', { name: 'Asia/Tokyo' }).click();
      await page.reload();
      await expectPage(page.getByRole('combobox', { name: 'Time zone' })).toHaveValue('Asia/Tokyo');
      await expectAccessible(page);

      await page.goto('/create/Task');
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('On time');
      const due = page.getByRole('textbox', { name: /^Due date/ });
      await expectPage(due).toHaveAttribute('placeholder', 'DD.MM.YYYY HH:mm');
      await due.fill('31.2.2030 14:30');
      await due.blur();
      await expectPage(page.getByText('Enter a date such as 31.01.2030 14:05.')).toBeVisible();
      await due.fill('31.1.30 1430');
      await due.blur();
      await expectPage(due).toHaveValue('31.01.2030 14:30');

      await due.press('Alt+ArrowDown');
      const calendar = page.getByRole('dialog', { name: 'Calendar' });
      await expectPage(calendar.getByRole('columnheader').first()).toHaveText('Sat');
      const day = (name: RegExp) => calendar.getByRole('button', { name });
      await expectPage(day(/January 31, 2030/)).toBeFocused();
      await expectAccessible(page);
      await page.keyboard.press('ArrowRight');
      await expectPage(day(/February 1, 2030/)).toBeFocused();
      await page.keyboard.press('Enter');
      await expectPage(due).toHaveValue('01.02.2030 14:30');
      await calendar.getByLabel('Time').selectOption({ label: '15:00' });
      await page.keyboard.press('Escape');
      await expectPage(due).toBeFocused();
      await page.getByRole('button', { name: 'Save' }).click();
      await expectHeading(page, 'On time');
      await expectPage(page.getByText('01.02.2030, 15:00')).toBeVisible();
      const id = new URL(page.url()).pathname.split('/').at(-1);
      const { body } = await fixture.api().get(`/Task/${id}`);
      expect(body).toMatchObject({ dateEnd: '2030-02-01 06:00:00' });
    });

    it('turns on two-factor authentication with a QR code, after which codes and recovery codes work once', async () => {
      const person = await makePerson(fixture, 'careful');
      const { page, context } = await fixture.open('/profile', { expectedStatuses: [401] });
      await signIn(page, person);
      await page.getByRole('button', { name: 'Turn on' }).click();
      const dialog = page.getByRole('dialog');
      await expectPage(dialog.getByRole('img', { name: /^QR code/ })).toBeVisible();
      await expectAccessible(page);
      const secret = (await dialog.getByText(/^[A-Z2-7]{32}$/).textContent()) ?? '';
      await dialog.getByLabel('Current password', { exact: true }).fill(password);
      await dialog.getByLabel('Authenticator code').fill(new TOTP({ secret }).generate());
      await dialog.getByRole('button', { name: 'Turn on' }).click();
      await dialog.getByRole('button', { name: 'Copy: Your recovery codes' }).click();
      const codes = String(await page.evaluate('navigator.clipboard.readText()')).split('\n');
      expect(codes).toHaveLength(10);
      await dialog.getByRole('button', { name: 'I have stored them' }).click();
      await expectPage(page.getByText('10 recovery codes left')).toBeVisible();

      const signInWith = async (code = '') => {
        await context.clearCookies();
        await page.goto('/profile');
        await page.getByLabel('User name').fill(person.userName);
        await page.getByLabel('Password', { exact: true }).fill(password);
        await page.getByRole('button', { name: 'Sign in', exact: true }).click();
        await page.getByRole('button', { name: 'Use a recovery code' }).click();
        await page.getByLabel('Recovery code').fill(code);
        await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      };
      await signInWith(codes[0]);
      await expectPage(page.getByText('9 recovery codes left')).toBeVisible();
      await signInWith(codes[0]);
      await expectPage(page.getByRole('alert')).toContainText('The code is wrong');
      await page.getByLabel('Recovery code').fill(codes[1] ?? '');
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();

      await page.getByRole('button', { name: 'Turn off' }).click();
      await dialog.getByLabel('Current password', { exact: true }).fill(password);
      await dialog.getByRole('button', { name: 'Turn off' }).click();
      await expectPage(page.getByRole('button', { name: 'Turn on' })).toBeVisible();
    });

    it("keeps the language and the appearance on all of the user's devices", async () => {
      const person = await makePerson(fixture, 'colourful');
      const { page } = await fixture.open('/profile');
      await signIn(page, person);
      await page.getByLabel('Appearance', { exact: true }).selectOption('dark');
      await page.getByLabel('Language', { exact: true }).selectOption('de');
      await expectHeading(page, 'Profil');
      await expectPage(
        page.getByRole('heading', { name: 'Zwei-Faktor-Authentifizierung' }),
      ).toBeVisible();

      const other = await fixture.open('/profile');
      await signIn(other.page, person);
      await expectHeading(other.page, 'Profil');
      await expectPage(other.page.locator('html')).toHaveAttribute(
        'data-mantine-color-scheme',
        'dark',
      );
    });
  });
}
