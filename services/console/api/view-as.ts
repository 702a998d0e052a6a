/** In the session storage, so that the view applies to one tab and survives its reloads. */
const key = 'annals-view-as';

/** Returns the name of the user whose view an administrator has opened in this tab; null without a view. */
export function viewedUserName(): string | null {
  return sessionStorage.getItem(key);
}

/** Opens the console as another user sees it. Loads the page again, so that no data of another user remains. */
export function openView(userName: string): void {
  sessionStorage.setItem(key, userName);
  location.assign('/');
}

/** Forgets the view. The page has to be loaded again afterwards. */
export function forgetView(): void {
  sessionStorage.removeItem(key);
}

/** A change that was not sent, because administrators only look at the console of other users. */
export class ReadOnlyView extends Error {
  override readonly name = 'ReadOnlyView';
}
