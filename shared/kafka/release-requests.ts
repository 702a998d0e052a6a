import SocketRequest from 'kafkajs/src/network/requestQueue/socketRequest.js';

let isMended = false;

/**
 * A request of kafkajs 2.2.4 gives itself a function as a property. V8 takes a function that is written as the value of a
 * property for a method, and puts it among what lives long: so each request stayed until the next collection of
 * everything, and with it its answer and all that was made of it. Now it lets go of them as soon as it is over.
 */
export function releaseRequests(): void {
  if (isMended) return;
  isMended = true;
  const { completed, rejected } = SocketRequest.prototype;
  SocketRequest.prototype.completed = function (this: SocketRequest, answer) {
    completed.call(this, answer);
    release(this);
  };
  SocketRequest.prototype.rejected = function (this: SocketRequest, error) {
    rejected.call(this, error);
    release(this);
  };
}

function release(request: SocketRequest): void {
  request.entry = undefined;
  request.sendRequest = undefined;
  request.timeoutHandler = undefined;
}
