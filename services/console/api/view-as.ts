/** In session storage, so that the view applies to one tab and survives reloads. */
const key = 'annals-view-as';

/** Returns the name of the user whose view an administrator has opened in this tab; null without a view. */
export function viewedUserName(): string | null {
  return sessionStorage.getItem(key);
}

/**
 * Opens the console as another user sees it. Reloads the page, so that no data that was loaded as the current user
 * remains.
 */
export function openView(userName: string): void {
  sessionStorage.setItem(key, userName);
  location.assign('/');
}

/** Forgets the view. The caller must reload the page afterwards. */
export function forgetView(): void {
  sessionStorage.removeItem(key);
}

/** Thrown instead of sending a change, because administrators can only look at the console as other users. */
export class ReadOnlyView extends Error {
  override readonly name = 'ReadOnlyView';
}
