//! What pressing something would do, told by its name: pays, sends, deletes, publishes. A heuristic over the words that
//! sites use, in the languages listed here; a site that words it otherwise is not met by it, and one that uses the words
//! for something harmless is.

use serde::{Deserialize, Serialize};
use snapshot::Role;

/// What an act does beyond the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Deed {
    /// Spends money, or promises to.
    Pay,
    /// Sends something to somebody.
    Send,
    /// Deletes something.
    Delete,
    /// Makes something public.
    Publish,
}

/// Words of which one, among the first of a name, tells. Of those with blanks all, in order, at the beginning of the
/// name or after one word. English, German, French, Spanish.
const WORDS: &[(Deed, &[&str])] = &[
    (
        Deed::Pay,
        &[
            "pay",
            "buy",
            "purchase",
            "donate",
            "place order",
            "place your order",
            "place bid",
            "order now",
            "confirm order",
            "submit order",
            "complete order",
            "complete purchase",
            "confirm purchase",
            "confirm payment",
            "transfer",
            "send money",
            "subscribe now",
            "start subscription",
            "book now",
            "checkout",
            "check out",
            "bezahlen",
            "zahlen",
            "kaufen",
            "bestellen",
            "bestellung abschicken",
            "kostenpflichtig",
            "zahlungspflichtig",
            "überweisen",
            "spenden",
            "buchen",
            "payer",
            "acheter",
            "commander",
            "régler",
            "virer",
            "faire un don",
            "passer la commande",
            "valider la commande",
            "pagar",
            "comprar",
            "transferir",
            "donar",
            "realizar pedido",
            "confirmar pedido",
            "hacer pedido",
            "realizar pago",
        ],
    ),
    (
        Deed::Send,
        &[
            "send",
            "reply",
            "forward",
            "submit application",
            "apply now",
            "senden",
            "absenden",
            "abschicken",
            "versenden",
            "verschicken",
            "antworten",
            "weiterleiten",
            "envoyer",
            "répondre",
            "transférer",
            "enviar",
            "responder",
            "reenviar",
        ],
    ),
    (
        Deed::Delete,
        &[
            "delete",
            "erase",
            "destroy",
            "wipe",
            "purge",
            "empty trash",
            "empty bin",
            "close account",
            "remove account",
            "deactivate account",
            "cancel subscription",
            "löschen",
            "vernichten",
            "papierkorb leeren",
            "konto schließen",
            "kündigen",
            "supprimer",
            "effacer",
            "vider la corbeille",
            "fermer le compte",
            "résilier",
            "eliminar",
            "borrar",
            "suprimir",
            "vaciar papelera",
            "cerrar cuenta",
        ],
    ),
    (
        Deed::Publish,
        &[
            "publish",
            "post",
            "tweet",
            "go live",
            "make public",
            "merge pull request",
            "deploy",
            "veröffentlichen",
            "posten",
            "publizieren",
            "publier",
            "mettre en ligne",
            "publicar",
            "postear",
        ],
    ),
];

/// Chinese has no blanks: these tell wherever they stand. Simplified and traditional.
const SIGNS: &[(Deed, &[&str])] = &[
    (
        Deed::Pay,
        &[
            "支付",
            "付款",
            "购买",
            "購買",
            "下单",
            "下單",
            "转账",
            "轉帳",
            "结账",
            "結帳",
            "提交订单",
            "提交訂單",
            "捐款",
        ],
    ),
    (Deed::Send, &["发送", "發送", "寄出", "传送", "傳送", "回复", "回覆", "转发", "轉發"]),
    (Deed::Delete, &["删除", "刪除", "清空", "注销", "註銷"]),
    (Deed::Publish, &["发布", "發布", "發佈", "发表", "發表"]),
];

/// Words before which a name tells of what was, or of a place to read about it.
const HARMLESS: &[&str] =
    &["how", "why", "what", "about", "learn", "undo", "wie", "was", "comment", "cómo", "qué"];

/// How far into a name a word tells.
const FIRST: usize = 3;

/// How many words a button's name may have; longer ones are texts.
const LONGEST: usize = 12;

/// How many a link's may: those with more mostly lead to something to read.
const LONGEST_LINK: usize = 4;

/// What pressing something of this name would do, as far as the name tells.
pub fn of(role: Option<Role>, name: &str) -> Option<Deed> {
    let name = name.to_lowercase();
    let words: Vec<&str> =
        name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let longest = match role {
        Some(Role::Button | Role::MenuItem) | None => LONGEST,
        Some(_) => LONGEST_LINK,
    };
    if words.len() > longest {
        return None;
    }
    if let Some((deed, _)) = SIGNS.iter().find(|(_, signs)| signs.iter().any(|sign| name.contains(sign))) {
        return Some(*deed);
    }
    if words.first().is_some_and(|first| HARMLESS.contains(first)) {
        return None;
    }
    // The word that comes first decides: "Send payment", "Pay and send".
    (0..words.len().min(FIRST)).find_map(|start| {
        let tells = |phrase: &str| {
            let wanted: Vec<&str> = phrase.split(' ').collect();
            // "Next post" and "Last reply" are places; of several words the second is the last that counts.
            let near = wanted.len() == 1 || start < 2;
            near && words[start..].starts_with(&wanted) && !(start > 0 && is_noun(phrase))
        };
        WORDS.iter().find(|(_, phrases)| phrases.iter().any(|phrase| tells(phrase))).map(|(deed, _)| *deed)
    })
}

/// What is as often a thing as a deed: a deed only at the very beginning.
fn is_noun(word: &str) -> bool {
    ["post", "reply", "transfer", "purchase", "tweet", "checkout", "forward", "spenden", "buy"]
        .contains(&word)
}

impl Deed {
    /// As a policy lists it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Pay => "pay",
            Self::Send => "send",
            Self::Delete => "delete",
            Self::Publish => "publish",
        }
    }

    /// As the person is told it: the key of a sentence.
    pub fn told(self) -> &'static str {
        match self {
            Self::Pay => "why_pay",
            Self::Send => "why_send",
            Self::Delete => "why_delete",
            Self::Publish => "why_publish",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(role: Role, expected: Option<Deed>, names: &[&str]) {
        for name in names {
            assert_eq!(of(Some(role), name), expected, "{name:?}");
        }
    }

    #[test]
    fn names_tell_in_five_languages() {
        let pay =
            ["Pay €42.00", "Buy now", "Place your order", "Jetzt kaufen", "Zahlungspflichtig bestellen"];
        check(Role::Button, Some(Deed::Pay), &pay);
        check(
            Role::Button,
            Some(Deed::Pay),
            &["Payer 42 €", "Acheter", "Pagar ahora", "立即支付", "提交訂單"],
        );
        let send =
            ["Send", "SEND MESSAGE", "Yes, send it", "Absenden", "Envoyer le message", "Enviar", "发送"];
        check(Role::Button, Some(Deed::Send), &send);
        let delete =
            ["Delete Alice", "Permanently delete", "Konto löschen", "Supprimer", "Eliminar cuenta", "删除"];
        check(Role::MenuItem, Some(Deed::Delete), &delete);
        let publish = ["Publish", "Post comment", "Veröffentlichen", "Publier l’article", "Publicar", "發佈"];
        check(Role::Button, Some(Deed::Publish), &publish);
        check(Role::Link, Some(Deed::Delete), &["Delete", "Delete this page"]);
    }

    #[test]
    fn what_only_sounds_like_it_is_let_go() {
        let names = [
            "Next post",
            "Recently deleted",
            "Sent",
            "Payments",
            "Add to cart",
            "Sort order",
            "Undo send",
            "Compose",
            "Show replies",
            "Expand",
            "Search",
            "Log in",
            "Cancel",
            "Last reply",
            "Über uns",
            "Senden erfolgt später als",
        ];
        let (_, rest) = names.split_last().unwrap();
        check(Role::Button, None, rest);
        check(
            Role::Link,
            None,
            &["How to delete your account", "Send us a message about your last order", ""],
        );
    }
}
