const maxLength = 300;

/**
 * A message as value of the X-Status-Reason header: one line of Latin-1, whatever a client put into the message.
 * Everything else, control characters included, becomes a space.
 */
export function toStatusReason(message: string): string {
  return message.slice(0, maxLength).replace(/[^ -~\u00a0-\u00ff]/g, ' ');
}
