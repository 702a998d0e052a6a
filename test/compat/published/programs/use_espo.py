"""Uses the client espo like its own examples. Prints each step, and exits at the first failure."""

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


def rejected(step, status, method, action, params=None):
    try:
        client.request(method, action, params)
    except EspoError as error:
        assert (error.code, bool(error.reason)) == (status, True), (error.code, error.reason)
        print(f"  {step}: {error.reason}", flush=True)
        return
    raise AssertionError(f"{step} was not rejected")


def listed(where):
    params = {"where": where, "select": "id,name", "orderBy": "name", "maxSize": 10}
    return [record["name"] for record in call("lists", "GET", "Account", params)["list"]]


assert call("identifies its user", "GET", "App/user")["user"]["type"] == "api"
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
rejected("reports a missing name", 400, "POST", "Account", {})
rejected("reports a duplicate", 409, "POST", "Account", {"name": name})
assert call("deletes", "DELETE", f"Contact/{contact}") is True
assert call("deletes", "DELETE", f"Account/{account}") is True
rejected("reports the deleted record as missing", 404, "GET", f"Account/{account}")
# The client treats everything but 200 as an error, and EspoCRM also returns 201 for a new webhook.
webhook = {"event": "Account.create", "url": "https://example.com/espo"}
rejected("registers a webhook, which it reports as", 201, "POST", "Webhook", webhook)
for webhook in call("lists webhooks", "GET", "Webhook")["list"]:
    assert call("unsubscribes", "DELETE", f"Webhook/{webhook['id']}") is True
