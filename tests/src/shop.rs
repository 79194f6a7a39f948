//! The shop's server side: what it sells, the cards it was shown, the orders it took. It takes an order only whole
//! and only with a card's token, as a real one would.

use crate::site::State;
use axum::{
    Json,
    extract::{Path, Query, State as Shared},
    http::StatusCode,
};
use serde::{Deserialize, Serialize};

/// Something for sale.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Product {
    id: &'static str,
    name: &'static str,
    kind: &'static str,
    cents: u32,
    stock: u32,
}

const PRODUCTS: &[Product] = &[
    Product { id: "assam", name: "Assam Breakfast", kind: "Tea", cents: 790, stock: 12 },
    Product { id: "blend", name: "House Blend", kind: "Coffee", cents: 1150, stock: 7 },
    Product { id: "cup", name: "Porcelain Cup", kind: "Ware", cents: 1900, stock: 4 },
    Product { id: "darjeeling", name: "Darjeeling First Flush", kind: "Tea", cents: 1680, stock: 3 },
    Product { id: "genmaicha", name: "Genmaicha", kind: "Tea", cents: 890, stock: 9 },
    Product { id: "kettle", name: "Gooseneck Kettle", kind: "Ware", cents: 6400, stock: 2 },
    Product { id: "lapsang", name: "Lapsang Souchong", kind: "Tea", cents: 1240, stock: 0 },
    Product { id: "sencha", name: "Sencha", kind: "Tea", cents: 1050, stock: 20 },
    Product { id: "yirgacheffe", name: "Yirgacheffe", kind: "Coffee", cents: 1390, stock: 5 },
];

/// A filter form's fields.
#[derive(Debug, Deserialize)]
pub struct Wanted {
    #[serde(default)]
    text: String,
    #[serde(default)]
    kind: String,
    #[serde(default)]
    in_stock: bool,
}

/// A card as typed in.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Card {
    /// Digits, with or without spaces.
    pub number: String,
    /// Month and year.
    pub expiry: String,
    /// The three digits on the back.
    pub cvc: String,
}

/// What the shop took down.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub struct Order {
    /// The product's id.
    pub product: String,
    /// How many.
    pub quantity: u32,
    /// The delivery slot.
    pub slot: String,
    /// The token for the card.
    pub token: String,
    /// The card's last four digits, put in by the server.
    #[serde(default)]
    pub card: String,
}

/// What matches a filter, in the house's order.
pub async fn products(Query(wanted): Query<Wanted>) -> Json<Vec<Product>> {
    let text = wanted.text.to_lowercase();
    let matches = |product: &&Product| {
        product.name.to_lowercase().contains(&text)
            && (wanted.kind.is_empty() || product.kind == wanted.kind)
            && (!wanted.in_stock || product.stock > 0)
    };
    Json(PRODUCTS.iter().filter(matches).copied().collect())
}

/// Keeps a card and gives a token for it.
pub async fn card(
    Shared(state): Shared<State>,
    Path(run): Path<String>,
    Json(card): Json<Card>,
) -> Result<Json<serde_json::Value>, (StatusCode, &'static str)> {
    let digits = digits(&card.number);
    if digits.len() != 16 || card.cvc.len() != 3 || !card.expiry.contains('/') {
        return Err((StatusCode::UNPROCESSABLE_ENTITY, "the card is not valid"));
    }
    let token = state.records.write(&run, |run| {
        let token = format!("card-{}", run.cards.len() + 1);
        run.cards.insert(token.clone(), card);
        token
    });
    Ok(Json(serde_json::json!({ "token": token, "last": &digits[12..] })))
}

/// Takes an order.
pub async fn order(
    Shared(state): Shared<State>,
    Path(run): Path<String>,
    Json(order): Json<Order>,
) -> Result<&'static str, (StatusCode, &'static str)> {
    if !PRODUCTS.iter().any(|product| product.id == order.product && product.stock >= order.quantity) {
        return Err((StatusCode::UNPROCESSABLE_ENTITY, "there is not that much of it"));
    }
    state.records.write(&run, |run| {
        let card =
            run.cards.get(&order.token).ok_or((StatusCode::PAYMENT_REQUIRED, "there is no such card"))?;
        run.orders.push(Order { card: digits(&card.number).split_off(12), ..order });
        Ok("taken")
    })
}

fn digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}
