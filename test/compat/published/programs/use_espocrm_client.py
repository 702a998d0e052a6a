"""Uses the client espocrm-client. It sends conditions in a form that EspoCRM ignores, too, so lists are only paged."""

import logging
import os
import uuid

from espocrm import ClientConfig, EspoCRMClient
from espocrm.auth import APIKeyAuth
from espocrm.exceptions import EspoCRMError

logging.disable(logging.CRITICAL)
url, key = os.environ["ANNALS_URL"], os.environ["ANNALS_API_KEY"]
client = EspoCRMClient(url, APIKeyAuth(api_key=key), ClientConfig(base_url=url, api_key=key))
name = f"Client {uuid.uuid4()}"


def done(step, answer):
    print(f"  {step}", flush=True)
    return answer


assert done("identifies its user", client.test_connection())
account = done("creates", client.crud.create("Account", {"name": name})).get_id()
assert done("reads", client.crud.read("Account", account, select=["id", "name"])).data["name"] == name
patched = done("patches", client.crud.update("Account", account, {"type": "Customer"}))
assert patched.data["type"] == "Customer"
put = done("puts", client.crud.update("Account", account, {"sicCode": "1"}, partial=False))
assert (put.data["sicCode"], put.data["type"]) == ("1", "Customer")
page = {"orderBy": "createdAt", "order": "desc", "maxSize": 1, "select": "id,name"}
assert [found["id"] for found in done("lists", client.get("Account", params=page))["data"]] == [account]
assert done("counts", client.crud.list("Account", order_by="name", max_size=1)).total > 0
contact = done("creates", client.crud.create("Contact", {"lastName": name})).get_id()
link = f"Account/{account}/contacts"
assert done("links", client.post(link, data={"id": contact}))["data"] is True
assert [linked["id"] for linked in done("lists linked", client.get(link))["data"]] == [contact]
assert done("unlinks", client.delete(link, data={"id": contact}))["data"] is True
assert done("lists linked", client.get(link))["data"] == []
webhook = {"event": "Account.create", "url": "https://example.com/espocrm-client"}
webhook = done("registers a webhook", client.post("Webhook", data=webhook))["data"]["id"]
assert done("unsubscribes", client.crud.delete("Webhook", webhook))
for record in (("Contact", contact), ("Account", account)):
    assert done("deletes", client.crud.delete(*record))
try:
    client.crud.read("Account", account)
    raise AssertionError("it is still there")
except EspoCRMError as error:
    assert error.status_code == 404, error
    done("finds nothing there", error)
