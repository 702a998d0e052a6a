"""Uses the client espo as its own examples do. Steps are printed; the first one that is not as it should be ends it."""

import os
import uuid

from espo import Espo
from espo.exceptions import EspoError

client = Espo(os.environ["ANNALS_URL"], os.environ["ANNALS_API_KEY"])
name = f"Espo {uuid.uuid4()}"


def call(step, method, action, params=None):
    answer = client.request(method, action, params)
    print(f"  {step}", flush=True)
    return answer


def refused(step, status, method, action, params=None):
    try:
        client.request(method, action, params)
    except EspoError as error:
        assert (error.code, bool(error.reason)) == (status, True), (error.code, error.reason)
        print(f"  {step}: {error.reason}", flush=True)
        return
    raise AssertionError(f"{step} was not refused")


def listed(where):
    params = {"where": where, "select": "id,name", "orderBy": "name", "maxSize": 10}
    return [record["name"] for record in call("lists", "GET", "Account", params)["list"]]


assert call("asks who it is", "GET", "App/user")["user"]["type"] == "api"
account = call("creates", "POST", "Account", {"name": name})["id"]
assert call("reads", "GET", f"Account/{account}")["name"] == name
assert call("updates", "PUT", f"Account/{account}", {"type": "Customer"})["type"] == "Customer"
assert call("patches", "PATCH", f"Account/{account}", {"sicCode": "1"})["type"] == "Customer"
contact = {"lastName": name, "doNotCall": True, "accountId": account}
contact = call("creates with a link", "POST", "Contact", contact)["id"]
assert listed([{"type": "equals", "attribute": "name", "value": name}]) == [name]
assert listed([{"type": "in", "attribute": "id", "value": [account, contact]}]) == [name]
either = [{"type": "isNull", "attribute": "name"}, {"type": "linkedWith", "attribute": "contacts", "value": [contact]}]
assert listed([{"type": "or", "value": either}]) == [name]
uncalled = [{"type": "equals", "attribute": "doNotCall", "value": True}, {"type": "equals", "attribute": "lastName", "value": name}]
assert call("finds True", "GET", "Contact", {"where": uncalled})["total"] == 1
assert call("links", "POST", f"Account/{account}/contacts", {"id": contact}) is True
assert call("lists linked", "GET", f"Account/{account}/contacts")["total"] == 1
refused("is told of a missing name", 400, "POST", "Account", {})
refused("is told of a duplicate", 409, "POST", "Account", {"name": name})
assert call("deletes", "DELETE", f"Contact/{contact}") is True
assert call("deletes", "DELETE", f"Account/{account}") is True
refused("finds nothing there", 404, "GET", f"Account/{account}")
# It takes everything but 200 for an error, and a new webhook is answered with 201 by the original too.
webhook = {"event": "Account.create", "url": "https://example.com/espo"}
refused("registers a webhook, which it reports as", 201, "POST", "Webhook", webhook)
for webhook in call("lists webhooks", "GET", "Webhook")["list"]:
    assert call("unsubscribes", "DELETE", f"Webhook/{webhook['id']}") is True
