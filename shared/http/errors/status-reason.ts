const MAX_LENGTH = 300;

/**
 * A message as the value of the X-Status-Reason header: one line of Latin-1, whatever a client put into the message.
 * All other characters, control characters included, become spaces.
 */
export function toStatusReason(message: string): string {
  return message.slice(0, MAX_LENGTH).replace(/[^ -~\u00a0-\u00ff]/g, ' ');
}
