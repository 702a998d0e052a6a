const maxLength = 300;

/**
 * A message as the value of the X-Status-Reason header: one line of Latin-1, whatever a client put into the message.
 * All other characters, control characters included, become spaces.
 */
export function toStatusReason(message: string): string {
  return message.slice(0, maxLength).replace(/[^ -~\u00a0-\u00ff]/g, ' ');
}
