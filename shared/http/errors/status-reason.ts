const MAX_LENGTH = 300;

/**
 * Converts a message to a value for the X-Status-Reason header: one line of Latin-1, whatever a client put into the
 * message. All other characters, including control characters, become spaces.
 */
export function toStatusReason(message: string): string {
  return message.slice(0, MAX_LENGTH).replace(/[^ -~\u00a0-\u00ff]/g, ' ');
}
