//! Uses the client espocrm-rs with HMAC, like its own examples. Exits at the first unexpected response.
use espocrm_rs::{EspoApiClient, FilterType, Method, NoGeneric, Order, Params, Value, Where};
use serde_json::{json, Value as Json};

struct Session {
    client: EspoApiClient,
}

impl Session {
    async fn call(&self, step: &str, method: Method, action: &str, body: Option<Json>) -> Json {
        let answer = self.client.request(method, action, None, body).await.expect(step);
        read(step, answer.status().as_u16(), answer.json().await.expect(step))
    }

    async fn list(&self, filter: Where) -> Vec<Json> {
        let params = Params::default()
            .set_where(vec![filter])
            .set_select("id,name")
            .set_order_by("name")
            .set_order(Order::Desc)
            .set_max_size(10)
            .build();
        let listed = self.client.request::<NoGeneric, _>(Method::Get, "Account", Some(params), None);
        let answer = listed.await.expect("lists");
        let status = answer.status().as_u16();
        let page = read("lists", status, answer.json().await.expect("lists"));
        page["list"].as_array().expect("a list").clone()
    }
}

fn read(step: &str, status: u16, body: Json) -> Json {
    assert!(status == 200 || status == 201, "{step}: {status} {body}");
    println!("  {step}");
    body
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let variable = |name: &str| std::env::var(name).expect(name);
    let client = EspoApiClient::new(&variable("ANNALS_URL"))
        .set_api_key(variable("ANNALS_HMAC_KEY"))
        .set_secret_key(variable("ANNALS_HMAC_SECRET"))
        .build();
    let session = Session { client };
    let name = format!("Rust {}", std::process::id());

    let who = session.call("asks who it is", Method::Get, "App/user", None).await;
    assert_eq!(who["user"]["type"], "api");
    let made = session.call("creates", Method::Post, "Account", Some(json!({"name": name}))).await;
    let id = made["id"].as_str().expect("an id").to_string();
    let path = format!("Account/{id}");
    assert_eq!(session.call("reads", Method::Get, &path, None).await["name"], json!(name));
    let change = Some(json!({"type": "Customer"}));
    assert_eq!(session.call("updates", Method::Put, &path, change).await["type"], "Customer");

    let by_name = Where::new(FilterType::Equals, "name", Some(Value::string(name.clone())));
    assert_eq!(session.list(by_name).await.len(), 1);
    let ids = Value::array(vec![Value::string(id.clone()), Value::str("nobody")]);
    assert_eq!(session.list(Where::new(FilterType::In, "id", Some(ids))).await.len(), 1);

    let again = json!({"name": name});
    let refused = session.client.create("Account", again.clone()).await.expect("creates again");
    assert_eq!(refused.status().as_u16(), 409);
    let twin = session.client.create_allow_duplicates("Account", again).await.expect("allows it");
    assert_eq!(twin.status().as_u16(), 200);
    let twin: Json = twin.json().await.expect("a record");
    println!("  creates again, if duplicates are allowed");

    let contact = json!({"lastName": name});
    let contact = session.call("creates", Method::Post, "Contact", Some(contact)).await;
    let link = format!("{path}/contacts");
    let ids = json!({"ids": [contact["id"]]});
    assert_eq!(session.call("links", Method::Post, &link, Some(ids.clone())).await, json!(true));
    assert_eq!(session.call("lists linked", Method::Get, &link, None).await["total"], 1);
    assert_eq!(session.call("unlinks", Method::Delete, &link, Some(ids)).await, json!(true));

    let webhook = json!({"event": "Account.create", "url": "https://example.com/rust"});
    let webhook = session.call("registers a webhook", Method::Post, "Webhook", Some(webhook)).await;
    for (entity, record) in [("Webhook", &webhook), ("Contact", &contact), ("Account", &twin), ("Account", &made)] {
        let path = format!("{entity}/{}", record["id"].as_str().expect("an id"));
        assert_eq!(session.call("deletes", Method::Delete, &path, None).await, json!(true));
    }
    let gone = session.client.request::<NoGeneric, _>(Method::Get, path.as_str(), None, None);
    assert_eq!(gone.await.expect("asks again").status().as_u16(), 404);
    println!("  finds nothing there");
}
