(** A second checker for equality of formulas, which follows a trace step by
    step. A state says which subformulas hold at a position. The meaning of
    each operator limits the states that may come next, and states that no
    position of a trace can have are removed: those without a next state, and
    those that promise a goal from which it cannot be reached. Two formulas
    are equal if all states that are left agree. For formulas without [M] this
    removes all that can be removed, as tableaux of temporal logic do; for
    others some states may be left that no trace has, and the answer is no. *)

From Coq Require Import Arith Lia Classical List Bool.
From Shall Require Import Definitions Runs Operators Ways Check Normal.
Import ListNotations.

(** * Until and since *)

Definition plain_not (p : form) : form :=
  match p with Top => Bot | Bot => Top | Not p => p | _ => Not p end.

Definition point_here (b : bound) : bool := bound_eqb b (Bound (K 0) (Some (K 0))).

(** A way, or its goal if it ends here. *)
Definition way_or_now (d : direction) (b : bound) (p q : form) : form := if point_here b then q else Way d b p q.

(** The formula with until and since as its only temporal operators. *)
Fixpoint plain (f : form) : form :=
  match f with
  | Top | Bot | Var _ => f
  | Not p => plain_not (plain p)
  | And p q => And (plain p) (plain q)
  | Or p q => Or (plain p) (plain q)
  | Imp p q => Imp (plain p) (plain q)
  | Iff p q => Iff (plain p) (plain q)
  | Xor p q => Xor (plain p) (plain q)
  | F_ b p => way_or_now Ahead b Top (plain p)
  | G_ b p => plain_not (way_or_now Ahead b Top (plain_not (plain p)))
  | O_ b p => way_or_now Back b Top (plain p)
  | H_ b p => plain_not (way_or_now Back b Top (plain_not (plain p)))
  | U_ b p q => way_or_now Ahead b (plain p) (plain q)
  | R_ b p q => plain_not (way_or_now Ahead b (plain_not (plain p)) (plain_not (plain q)))
  | S_ b p q => way_or_now Back b (plain p) (plain q)
  | T_ b p q => plain_not (way_or_now Back b (plain_not (plain p)) (plain_not (plain q)))
  end.

Lemma plain_not_is p q : equiv p q -> equiv (plain_not p) (Not q).
Proof.
  intros Hp m tr i Hi. specialize (Hp m tr i Hi). destruct p; cbn [plain_not sem] in *; rewrite <- Hp; try reflexivity; tauto.
Qed.

Lemma way_or_now_is d b p p' q q' : equiv p p' -> equiv q q' -> equiv (way_or_now d b p q) (Way d b p' q').
Proof.
  intros Hp Hq. apply equiv_trans with (Way d b p q); [| apply Way_congruent; assumption].
  intros m tr i Hi. unfold way_or_now, point_here. destruct (bound_eqb b _) eqn:E; [| reflexivity].
  apply bound_eqb_eq in E. subst b. rewrite sem_Way. split.
  - intros H. apply way_now; auto. split; simpl; lia.
  - intros [k [[_ Hw] [_ [H _]]]]. simpl in Hw. replace k with 0 in H by lia. rewrite step_0 in H. assumption.
Qed.

Lemma plain_is f : equiv (plain f) f.
Proof.
  induction f; cbn [plain]; try apply equiv_refl;
    try (intros m tr i Hi; cbn [sem]; rewrite (IHf1 m tr i Hi), (IHf2 m tr i Hi); reflexivity).
  - apply plain_not_is. assumption.
  - eapply equiv_trans; [| apply equiv_sym, F_way]. apply (way_or_now_is Ahead); [apply equiv_refl | assumption].
  - eapply equiv_trans; [| apply equiv_sym, G_way]. apply plain_not_is, (way_or_now_is Ahead); [apply equiv_refl | apply plain_not_is; assumption].
  - eapply equiv_trans; [| apply equiv_sym, O_way]. apply (way_or_now_is Back); [apply equiv_refl | assumption].
  - eapply equiv_trans; [| apply equiv_sym, H_way]. apply plain_not_is, (way_or_now_is Back); [apply equiv_refl | apply plain_not_is; assumption].
  - apply (way_or_now_is Ahead); assumption.
  - eapply equiv_trans; [| apply equiv_sym, R_way]. apply plain_not_is, (way_or_now_is Ahead); apply plain_not_is; assumption.
  - apply (way_or_now_is Back); assumption.
  - eapply equiv_trans; [| apply equiv_sym, T_way]. apply plain_not_is, (way_or_now_is Back); apply plain_not_is; assumption.
Qed.

(** * Windows, one step on *)

Definition pred_low (x : num) : option num :=
  match x with K c => Some (K (c - 1)) | M (S c) => Some (M c) | M 0 => None end.

Definition pred_high (x : option num) : option (option num) :=
  match x with
  | None => Some None
  | Some (K (S c)) => Some (Some (K c))
  | Some (M (S c)) => Some (Some (M c))
  | Some (K 0) | Some (M 0) => None
  end.

(** The window as it is seen from the next position. *)
Definition later (b : bound) : option bound :=
  match pred_low (low b), pred_high (high b) with
  | Some lo, Some hi => Some (Bound lo hi)
  | _, _ => None
  end.

Lemma later_window m b b' k : later b = Some b' -> (window m b (S k) <-> window m b' k).
Proof.
  destruct b as [lo hi]. unfold later, window. cbn [low high].
  destruct lo as [c|[|c]], hi as [[[|e]|[|e]]|]; cbn; try discriminate; intros E; injection E as <-; cbn; lia.
Qed.

Lemma later_now m b b' : later b = Some b' -> (window m b 0 <-> starts_here b = true).
Proof.
  destruct b as [lo hi]. unfold later, window, starts_here. cbn [low high].
  destruct lo as [[|c]|[|c]], hi as [[[|e]|[|e]]|]; cbn; try discriminate; intros _; split; intros; try discriminate; try lia; auto; split; lia.
Qed.

(** A way is at its goal, or goes on. *)
Lemma way_unfold m tr d b b' p q i : inside tr i -> later b = Some b' ->
  (way m tr d b p q i <->
   starts_here b = true /\ q i \/ p i /\ there d tr i 1 /\ way m tr d b' p q (step d i 1)).
Proof.
  intros Hi Hb. split.
  - intros [[|k] [Hw [Hk [Hq Hp]]]].
    + left. rewrite step_0 in Hq. split; [apply (later_now m b b' Hb) |]; assumption.
    + right. replace (S k) with (1 + k) in Hk by lia. apply step_there in Hk. destruct Hk as [H1 Hk].
      split; [rewrite <- (step_0 d i); apply Hp; lia | split; [assumption |]].
      exists k. split; [apply (later_window m b b' k Hb); assumption | split; [assumption | split; [rewrite step_step; assumption |]]].
      intros j Hj. rewrite step_step. apply Hp. lia.
  - intros [[Hs Hq] | [Hp [H1 [k [Hw [Hk [Hq Hway]]]]]]]; [apply way_now; auto; apply (later_now m b b' Hb); assumption |].
    rewrite step_step in Hq. exists (1 + k).
    split; [apply (later_window m b b' k Hb); assumption | split; [apply there_step; assumption | split; [assumption |]]].
    intros [|j] Hj; [rewrite step_0; assumption |]. replace (S j) with (1 + j) by lia. rewrite <- step_step. apply Hway. lia.
Qed.

(** * Subformulas *)

Definition add (f : form) (l : list form) : list form := if existsb (form_eqb f) l then l else l ++ [f].

(** The way as it is after one step, two steps, and so on. *)
Fixpoint remainders (fuel : nat) (d : direction) (b : bound) (p q : form) (l : list form) : list form :=
  match fuel, later b with
  | S fuel, Some b' =>
      if point_here b' ||| bound_eqb b b' then l else add (Way d b' p q) (remainders fuel d b' p q l)
  | _, _ => l
  end.

Definition constant (b : bound) : bool :=
  match low b, high b with K _, None | K _, Some (K _) => true | _, _ => false end.

(** The first position of a window. *)
Definition nearest (b : bound) : bound := exactly (low b).

(** What a way is compared with one step on. *)
Definition with_way (d : direction) (b : bound) (p q : form) (l : list form) : list form :=
  add (Way d b p q)
    (if constant b then remainders 4 d b p q l else if starts_here b ||| is_point b then l else add (Way d (nearest b) p q) l).

(** The propositions and ways in a formula, each after its own parts. *)
Fixpoint parts (f : form) (l : list form) : list form :=
  match f with
  | Var _ => add f l
  | Not p => parts p l
  | And p q | Or p q | Imp p q | Iff p q | Xor p q => parts q (parts p l)
  | U_ b p q => with_way Ahead b p q (parts q (parts p l))
  | S_ b p q => with_way Back b p q (parts q (parts p l))
  | _ => l
  end.

(** * States *)

(** Whether the traces are finite. *)
Definition is_ended (ended : bool) (tr : trace) : Prop :=
  match last tr with Some _ => ended = true | None => ended = false end.

Definition equiv_if (ended : bool) (f g : form) : Prop :=
  forall m tr i, is_ended ended tr -> inside tr i -> (sem m tr f i <-> sem m tr g i).

Section Steps.
Variables (ended : bool) (d : direction) (l : list form).
Notation read := (abstract form_eqb l).

(** Whether there is a last position in this direction. *)
Definition finishes : bool := match d with Ahead => ended | Back => true end.

Lemma goes_on tr i : is_ended ended tr -> inside tr i -> finishes = false -> there d tr i 1.
Proof.
  unfold is_ended, finishes, there, inside. destruct d; [| discriminate]. intros He Hi Ef.
  destruct (last tr); [congruence | exact I].
Qed.

Lemma comes_to_an_end tr i : is_ended ended tr -> inside tr i -> finishes = true ->
  exists k, there d tr i k /\ ~ there d tr (step d i k) 1.
Proof.
  unfold is_ended, finishes, there, inside, step. destruct d; intros He Hi Ef.
  - destruct (last tr) as [n|]; [| congruence]. cbn in *. exists (n - i). lia.
  - exists i. lia.
Qed.

Lemma form_eqb_equiv a b : form_eqb a b = true -> equiv a b.
Proof. intros E. apply form_eqb_eq in E. subst. apply equiv_refl. Qed.

Lemma read_is m tr i v f t : inside tr i -> reflects m tr i l v -> read f = Some t -> (sem m tr f i <-> value v t = true).
Proof. intros Hi Hv. apply (abstract_sound form_eqb form_eqb_equiv m tr i Hi l v f Hv). Qed.

(** If the first table is true here, the second is true at the next position. *)
Definition rule : Type := table * table.

Definition rule_holds (r : rule) : Prop :=
  forall m tr i v v', inside tr i -> there d tr i 1 -> reflects m tr i l v -> reflects m tr (step d i 1) l v' ->
    value v (fst r) = true -> value v' (snd r) = true.

Definition rules_of (f : form) : list rule :=
  match as_way f with
  | Some (d', b, p, q) =>
      match direction_eqb d d', read f, read p, read q with
      | true, Some tf, Some tp, Some tq =>
          match later b with
          | Some b' =>
              match read (way_or_now d b' p q) with
              | Some tg => [(if starts_here b then TAnd tf (TNot tq) else tf, tg); (TAnd (TNot tf) tp, TNot tg)]
              | None => []
              end
          | None => []
          end ++
          (match (if starts_here b then Some tq else read (Way d (nearest b) p q)) with
           | Some now => [(TAnd tf (TNot now), tf)]
           | None => []
           end) ++
          (if form_eqb p Top &&& form_eqb q Top &&& proper b then [(TNot tf, TNot tf)] else []) ++
          (match high b with
           | None => [(TAnd (TNot tf) tp, TNot tf)]
           | Some h => if starts_here b &&& positive h then [(TAnd (TNot tf) tp, TNot tq)] else []
           end)
      | _, _, _, _ => []
      end
  | None => []
  end.

(** If there is no next position, the table is true. *)
Definition ends_of (f : form) : list table :=
  match as_way f with
  | Some (d', b, p, q) =>
      match direction_eqb d d', read f, read q with
      | true, Some tf, Some tq => [TImp tf (if positive (low b) then TBot else tq)]
      | _, _, _ => []
      end
  | None => []
  end.

(** If the first table is true here, the second is true here or later. *)
Definition promises_of (f : form) : list rule :=
  match as_way f with
  | Some (d', b, p, q) =>
      match direction_eqb d d', read f with
      | true, Some tf =>
          match read q with Some tq => [(tf, tq)] | None => [] end ++
          match read (Way d (nearest b) p q) with Some now => [(tf, now)] | None => [] end
      | _, _ => []
      end
  | None => []
  end.

Definition promise_holds (r : rule) : Prop :=
  forall m tr i v, inside tr i -> reflects m tr i l v -> value v (fst r) = true ->
    exists k, there d tr i k /\ forall v', reflects m tr (step d i k) l v' -> value v' (snd r) = true.

Lemma rules_sound f r : List.In r (rules_of f) -> rule_holds r.
Proof.
  unfold rules_of. destruct (as_way f) as [[[[d' b] p] q]|] eqn:Ef; [| intros []]. apply as_way_is in Ef.
  destruct (direction_eqb d d') eqn:Ed; [| intros []]. apply direction_eqb_eq in Ed. subst d'.
  destruct (read f) as [tf|] eqn:Rf; [| intros []]. destruct (read p) as [tp|] eqn:Rp; [| intros []].
  destruct (read q) as [tq|] eqn:Rq; [| intros []]. intros Hin m tr i v v' Hi H1 Hv Hv'.
  assert (inside tr (step d i 1)) as Hi' by (apply there_inside; assumption).
  pose proof (read_is m tr i v _ _ Hi Hv Rf) as Hf. pose proof (read_is m tr i v _ _ Hi Hv Rp) as Hp. pose proof (read_is m tr i v _ _ Hi Hv Rq) as Hq.
  pose proof (read_is m tr _ v' _ _ Hi' Hv' Rf) as Hf'. pose proof (read_is m tr _ v' _ _ Hi' Hv' Rq) as Hq'.
  rewrite Ef, sem_Way in Hf, Hf'. rewrite !in_app_iff in Hin. destruct Hin as [Hin | [Hin | [Hin | Hin]]].
  - destruct (later b) as [b'|] eqn:Eb; [| destruct Hin]. destruct (read (way_or_now d b' p q)) as [tg|] eqn:Rg; [| destruct Hin].
    pose proof (read_is m tr _ v' _ _ Hi' Hv' Rg) as Hg.
    assert (sem m tr (way_or_now d b' p q) (step d i 1) <-> way m tr d b' (sem m tr p) (sem m tr q) (step d i 1)) as Hgoal.
    { rewrite <- sem_Way. apply (way_or_now_is d b' p p q q (equiv_refl p) (equiv_refl q) m tr _ Hi'). }
    rewrite Hgoal in Hg. pose proof (way_unfold m tr d b b' (sem m tr p) (sem m tr q) i Hi Eb) as Hu.
    destruct Hin as [<- | [<- | []]]; cbn [fst snd].
    + intros Ht. apply Hg. assert (value v tf = true /\ ~ (starts_here b = true /\ value v tq = true)) as [H2 H3].
      { destruct (starts_here b); cbn in Ht; [destruct (value v tf), (value v tq) | ]; cbn in *; intuition congruence. }
      apply Hf in H2. apply Hu in H2. rewrite <- Hq in H3. tauto.
    + intros Ht. cbn in Ht. destruct (value v tf) eqn:E1; [discriminate |]. cbn in Ht. cbn. destruct (value v' tg) eqn:E2; [| reflexivity].
      assert (false = true); [| discriminate]. apply Hf, Hu. right. split; [apply Hp; assumption | split; [assumption | apply Hg; reflexivity]].
  - match type of Hin with List.In _ (match ?x with Some _ => _ | None => _ end) => destruct x as [now|] eqn:En end; [| destruct Hin].
    destruct Hin as [<- | []]. cbn [fst snd]. intros Ht. cbn in Ht.
    destruct (value v tf) eqn:E1; [| discriminate]. destruct (value v now) eqn:E2; [discriminate |].
    destruct (proj2 Hf eq_refl) as [k [Hw [Hk [Hqk Hpk]]]].
    assert (k <> val m (low b)) as Hne.
    { intros ->. destruct (starts_here b) eqn:Es.
      - injection En as <-. apply num_eqb_eq in Es. rewrite Es in Hqk. cbn in Hqk. rewrite step_0 in Hqk. apply Hq in Hqk. congruence.
      - apply (read_is m tr i v _ _ Hi Hv) in En. rewrite sem_Way in En. assert (value v now = true); [| congruence].
        apply En. exists (val m (low b)). unfold nearest. rewrite window_exactly. auto. }
    assert (val m (low b) <= k) as Hlow by apply Hw. destruct k as [|k]; [lia |].
    apply Hf'. replace (S k) with (1 + k) in Hk by lia. apply step_there in Hk. destruct Hk as [_ Hk]. exists k.
    split; [| split; [assumption | split; [rewrite step_step; assumption |]]].
    + destruct Hw as [_ Hw]. split; [lia |]. destruct (high b); [lia | exact I].
    + intros j Hj. rewrite step_step. apply Hpk. lia.
  - destruct (form_eqb p Top &&& form_eqb q Top &&& proper b) eqn:Et; [| destruct Hin]. destruct Hin as [<- | []]. cbn [fst snd].
    rewrite !both_true in Et. destruct Et as [[Ep Eq] Eb]. apply form_eqb_eq in Ep, Eq. intros Ht. cbn in *.
    destruct (value v tf) eqn:E1; [discriminate |]. destruct (value v' tf) eqn:E2; [| reflexivity].
    assert (false = true); [| discriminate]. apply Hf. destruct (proj2 Hf' eq_refl) as [k [Hw [Hk _]]].
    exists k. split; [assumption | split; [| subst p q; split; [exact I | intros j _; exact I]]].
    apply (there_less d tr i (1 + k)); [apply there_step; assumption | lia].
  - destruct (high b) as [h|] eqn:Eh.
    + destruct (starts_here b &&& positive h) eqn:Es; [| destruct Hin]. rewrite both_true in Es. destruct Es as [Es Eh'].
      destruct Hin as [<- | []]. cbn [fst snd]. intros Ht. cbn in Ht. destruct (value v tf) eqn:E1; [discriminate |]. cbn in Ht.
      cbn. destruct (value v' tq) eqn:E2; [| reflexivity]. assert (false = true); [| discriminate]. apply Hf. exists 1.
      split; [| split; [assumption | split; [apply Hq'; reflexivity |]]].
      * pose proof (starts_0 m b Es) as [H0 _]. split; [lia |]. rewrite Eh. destruct h as [[|c]|[|c]]; cbn in *; try discriminate; lia.
      * intros j Hj. replace j with 0 by lia. rewrite step_0. apply Hp. assumption.
    + destruct Hin as [<- | []]. cbn [fst snd]. intros Ht. cbn in Ht. destruct (value v tf) eqn:E1; [discriminate |]. cbn in Ht.
      cbn. destruct (value v' tf) eqn:E2; [| reflexivity]. assert (false = true); [| discriminate]. apply Hf.
      destruct (proj2 Hf' eq_refl) as [k [[Hw _] [Hk [Hqk Hpk]]]]. rewrite step_step in Hqk. exists (1 + k).
      split; [split; [lia | rewrite Eh; exact I] | split; [apply there_step; assumption | split; [assumption |]]].
      intros [|j] Hj; [rewrite step_0; apply Hp; assumption |]. replace (S j) with (1 + j) by lia. rewrite <- step_step. apply Hpk. lia.
Qed.

Lemma ends_sound f t : List.In t (ends_of f) ->
  forall m tr i v, inside tr i -> ~ there d tr i 1 -> reflects m tr i l v -> value v t = true.
Proof.
  unfold ends_of. destruct (as_way f) as [[[[d' b] p] q]|] eqn:Ef; [| intros []]. apply as_way_is in Ef.
  destruct (direction_eqb d d') eqn:Ed; [| intros []]. apply direction_eqb_eq in Ed. subst d'.
  destruct (read f) as [tf|] eqn:Rf; [| intros []]. destruct (read q) as [tq|] eqn:Rq; [| intros []].
  intros [<- | []] m tr i v Hi Hn Hv.
  pose proof (read_is m tr i v _ _ Hi Hv Rf) as Hf. pose proof (read_is m tr i v _ _ Hi Hv Rq) as Hq. rewrite Ef, sem_Way in Hf.
  cbn [value]. destruct (value v tf); [| reflexivity]. destruct (proj2 Hf eq_refl) as [[|k] [[Hw _] [Hk [Hqk _]]]].
  - rewrite step_0 in Hqk. apply Hq in Hqk. destruct (positive (low b)) eqn:Ep; [| assumption].
    destruct (low b) as [[|c]|[|c]]; cbn in *; try discriminate; lia.
  - exfalso. apply Hn. apply (there_less d tr i (S k)); [assumption | lia].
Qed.

Lemma promises_sound f r : List.In r (promises_of f) -> promise_holds r.
Proof.
  unfold promises_of. destruct (as_way f) as [[[[d' b] p] q]|] eqn:Ef; [| intros []]. apply as_way_is in Ef.
  destruct (direction_eqb d d') eqn:Ed; [| intros []]. apply direction_eqb_eq in Ed. subst d'.
  destruct (read f) as [tf|] eqn:Rf; [| intros []]. intros Hin m tr i v Hi Hv Ht.
  assert (value v tf = true) as Hf.
  { apply in_app_or in Hin. destruct Hin as [Hin | Hin]; [destruct (read q) | destruct (read (Way d (nearest b) p q))];
      try contradiction; destruct Hin as [<- | []]; exact Ht. }
  apply (read_is m tr i v _ _ Hi Hv Rf) in Hf. rewrite Ef, sem_Way in Hf. destruct Hf as [k [Hw [Hk [Hq Hp]]]].
  apply in_app_or in Hin. destruct Hin as [Hin | Hin].
  - destruct (read q) as [tq|] eqn:Rq; [| destruct Hin]. destruct Hin as [<- | []]. exists k. split; [assumption |]. intros v' Hv'.
    apply (read_is m tr (step d i k) v' _ _ (there_inside _ _ _ _ Hi Hk) Hv' Rq). assumption.
  - destruct (read (Way d (nearest b) p q)) as [now|] eqn:Rn; [| destruct Hin]. destruct Hin as [<- | []].
    assert (val m (low b) <= k) as Hlow by apply Hw. exists (k - val m (low b)).
    replace k with (k - val m (low b) + val m (low b)) in Hk, Hq by lia. apply step_there in Hk. destruct Hk as [H1 H2].
    split; [assumption |]. intros v' Hv'. apply (read_is m tr _ v' _ _ (there_inside _ _ _ _ Hi H1) Hv' Rn). rewrite sem_Way.
    exists (val m (low b)). unfold nearest. rewrite window_exactly, step_step. split; [reflexivity | split; [assumption | split; [assumption |]]].
    intros j Hj. rewrite step_step. apply Hp. lia.
Qed.

Definition rules : list rule := flat_map rules_of l.
Definition ends : list table := flat_map ends_of l.
Definition promises : list rule := flat_map promises_of l.

(** What holds at a position, what it asks of the next position, what it
    offers to the position before, and whether it may be the last one. *)
Record state := State { truth : list bool; needs : list bool; offers : list bool; may_end : bool }.

Definition make (v : list bool) : state :=
  State v (map (fun r => value v (fst r)) rules) (map (fun r => value v (snd r)) rules) (all_true v ends).

Fixpoint fits (needs offers : list bool) : bool :=
  match needs, offers with
  | n :: needs, o :: offers => (if n then o else true) &&& fits needs offers
  | _, _ => true
  end.

Definition goes (s s' : state) : bool := fits (needs s) (offers s').

Definition covers_all (states : list state) : Prop :=
  forall m tr i v, is_ended ended tr -> inside tr i -> reflects m tr i l v -> List.In (make v) states.

Lemma next_goes m tr i v v' : inside tr i -> there d tr i 1 -> reflects m tr i l v -> reflects m tr (step d i 1) l v' ->
  goes (make v) (make v') = true.
Proof.
  intros Hi H1 Hv Hv'. unfold goes, make. cbn [needs offers].
  assert (forall rs, (forall r, List.In r rs -> rule_holds r) ->
    fits (map (fun r => value v (fst r)) rs) (map (fun r => value v' (snd r)) rs) = true) as Hfits.
  { induction rs as [|r rs IH]; intros Hrs; [reflexivity |]. cbn [map fits]. apply both_true. split.
    - destruct (value v (fst r)) eqn:E; [| reflexivity]. apply (Hrs r (or_introl eq_refl) m tr i v v'); assumption.
    - apply IH. intros r' Hr'. apply Hrs. right. assumption. }
  apply Hfits. intros r Hr. apply in_flat_map in Hr. destruct Hr as [f [_ Hr]]. apply (rules_sound f r Hr).
Qed.

Lemma end_may_end m tr i v : inside tr i -> ~ there d tr i 1 -> reflects m tr i l v -> may_end (make v) = true.
Proof.
  intros Hi Hn Hv. cbn [may_end make].
  assert (forall ts, (forall t, List.In t ts -> value v t = true) -> all_true v ts = true) as Hall.
  { induction ts as [|t ts IH]; intros Hts; [reflexivity |]. cbn. apply both_true. split; [apply Hts; left; reflexivity |].
    apply IH. intros t' Ht. apply Hts. right. assumption. }
  apply Hall. intros t Ht. apply in_flat_map in Ht. destruct Ht as [f [_ Ht]]. apply (ends_sound f t Ht m tr i v Hi Hn Hv).
Qed.

(** ** Sets of offers *)

Inductive tree := Nil | Fork (here : bool) (no yes : tree).

Fixpoint insert (o : list bool) (t : tree) : tree :=
  match o, t with
  | [], Nil => Fork true Nil Nil
  | [], Fork _ no yes => Fork true no yes
  | true :: o, Nil => Fork false Nil (insert o Nil)
  | true :: o, Fork here no yes => Fork here no (insert o yes)
  | false :: o, Nil => Fork false (insert o Nil) Nil
  | false :: o, Fork here no yes => Fork here (insert o no) yes
  end.

(** Some offers in the set fit the needs. *)
Fixpoint meets (needs : list bool) (t : tree) : bool :=
  match t, needs with
  | Nil, _ => false
  | Fork _ _ _, [] => true
  | Fork here no yes, n :: needs => here ||| meets needs yes ||| (if n then false else meets needs no)
  end.

Fixpoint has (o : list bool) (t : tree) : Prop :=
  match t, o with
  | Nil, _ => False
  | Fork here _ _, [] => here = true
  | Fork _ no yes, b :: o => if b then has o yes else has o no
  end.

Lemma insert_has o : forall t, has o (insert o t).
Proof. induction o as [|[] o IH]; intros [|here no yes]; cbn; auto. Qed.

Lemma insert_keeps o : forall o' t, has o t -> has o (insert o' t).
Proof. induction o as [|[] o IH]; intros [|[] o'] [|here no yes]; cbn; auto; try tauto. Qed.

Lemma has_meets needs : forall o t, has o t -> fits needs o = true -> meets needs t = true.
Proof.
  induction needs as [|n needs IH]; intros o [|here no yes] Ho Hf; try (destruct o; contradiction); cbn; [reflexivity |].
  destruct o as [|b o]; cbn in Ho; [subst; reflexivity |]. cbn [fits] in Hf. apply both_true in Hf. destruct Hf as [Hn Hf].
  destruct b.
  - rewrite (IH o yes Ho Hf). destruct here; reflexivity.
  - destruct n; [discriminate |]. rewrite (IH o no Ho Hf). destruct here, (meets needs yes); reflexivity.
Qed.

Definition offered (states : list state) : tree := fold_right (fun s t => insert (offers s) t) Nil states.

Lemma offered_meets s s' states : List.In s' states -> goes s s' = true -> meets (needs s) (offered states) = true.
Proof.
  intros Hin Hgo. apply (has_meets (needs s) (offers s')); [| assumption]. clear Hgo. induction states as [|x states IH]; [destruct Hin |].
  cbn. destruct Hin as [<- | Hin]; [apply insert_has | apply insert_keeps; auto].
Qed.

(** ** States without a next one *)

Definition alive (states : list state) : list state :=
  let next := offered states in
  filter (fun s => (finishes &&& may_end s) ||| meets (needs s) next) states.

Lemma alive_sound states : covers_all states -> covers_all (alive states).
Proof.
  intros Hall m tr i v He Hi Hv. apply filter_In. split; [apply (Hall m tr i v He Hi Hv) |]. apply either_true.
  destruct (classic (there d tr i 1)) as [H1 | Hn].
  - right. destruct (reflects_exists m tr (step d i 1) l) as [v' Hv'].
    assert (inside tr (step d i 1)) as Hi' by (apply there_inside; assumption).
    apply (offered_meets (make v) (make v')); [apply (Hall m tr (step d i 1) v' He Hi' Hv') | apply (next_goes m tr i v v' Hi H1 Hv Hv')].
  - left. apply both_true. split; [| apply (end_may_end m tr i v Hi Hn Hv)].
    destruct finishes eqn:Ef; [reflexivity |]. exfalso. apply Hn. apply goes_on; assumption.
Qed.

(** ** States that cannot keep a promise *)

(** The states that reach the goals, and those that do not: a step backward at
    a time. *)
Fixpoint reaching (fuel : nat) (goals rest : list state) : list state * list state :=
  match fuel with
  | 0 => (rest, [])
  | S fuel =>
      let next := offered goals in
      let (new, rest) := partition (fun s => meets (needs s) next) rest in
      match new with
      | [] => ([], rest)
      | _ => let (reached, lost) := reaching fuel new rest in (new ++ reached, lost)
      end
  end.

(** The states without those that promise a goal and do not reach it. *)
Definition keep (from goal : state -> bool) (states : list state) : list state :=
  let (goals, rest) := partition goal states in
  let (reached, lost) := reaching (length rest) goals rest in
  goals ++ reached ++ filter (fun s => negb (from s)) lost.

(** A goal is reached through the rest. *)
Inductive leads (goals rest : list state) : state -> Prop :=
| There s : List.In s goals -> leads goals rest s
| Onward s s' : List.In s rest -> goes s s' = true -> leads goals rest s' -> leads goals rest s.

Lemma partition_is (p : state -> bool) states : partition p states = (filter p states, filter (fun s => negb (p s)) states).
Proof. induction states as [|s states IH]; [reflexivity |]. cbn. rewrite IH. destruct (p s); reflexivity. Qed.

Lemma partition_parts (p : state -> bool) states yes no : partition p states = (yes, no) ->
  forall s, List.In s states -> if p s then List.In s yes else List.In s no.
Proof.
  intros E s Hs. rewrite partition_is in E. injection E as <- <-.
  destruct (p s) eqn:Ep; apply filter_In; split; auto. rewrite Ep. reflexivity.
Qed.

Lemma partition_yes (p : state -> bool) states yes no s : partition p states = (yes, no) -> List.In s yes -> List.In s states /\ p s = true.
Proof. intros E Hs. rewrite partition_is in E. injection E as <- _. apply filter_In in Hs. assumption. Qed.

Lemma partition_no (p : state -> bool) states yes no s : partition p states = (yes, no) -> List.In s no -> List.In s states /\ p s = false.
Proof. intros E Hs. rewrite partition_is in E. injection E as _ <-. apply filter_In in Hs. rewrite negb_true_iff in Hs. assumption. Qed.

Lemma reaching_sound fuel : forall goals rest reached lost,
  (forall s, List.In s rest -> ~ List.In s goals) -> reaching fuel goals rest = (reached, lost) ->
  forall s, List.In s rest -> (leads goals rest s -> List.In s reached) /\ (List.In s reached \/ List.In s lost).
Proof.
  induction fuel as [|fuel IH]; intros goals rest reached lost Hapart E s Hs.
  - cbn in E. injection E as <- <-. auto.
  - cbn [reaching] in E. set (test := fun s => meets (needs s) (offered goals)) in E.
    destruct (partition test rest) as [new rest'] eqn:Ep. pose proof (partition_parts _ _ _ _ Ep) as Hpart.
    assert (forall s, leads goals rest s -> List.In s rest -> leads new rest' s) as Hleads.
    { clear s Hs. intros s Hl. induction Hl as [s Hg | s s' Hs Hgo Hl IHl]; intros Hr; [destruct (Hapart s Hr Hg) |].
      pose proof (Hpart s Hs) as Hp. destruct (test s) eqn:Ee; [apply There; assumption |].
      assert (~ List.In s' goals) as Hng.
      { intros Hg. assert (test s = true) by (apply (offered_meets s s'); assumption). congruence. }
      apply (Onward new rest' s s' Hp Hgo). apply IHl. destruct Hl; [contradiction | assumption]. }
    assert (forall s, List.In s rest' -> ~ List.In s new) as Hapart'.
    { intros x Hx Hn. apply (partition_no _ _ _ _ _ Ep) in Hx. apply (partition_yes _ _ _ _ _ Ep) in Hn. destruct Hx, Hn. congruence. }
    destruct new as [|n new].
    + injection E as <- <-. split.
      * intros Hl. apply Hleads in Hl; [| assumption]. exfalso. clear -Hl. induction Hl; auto.
      * right. pose proof (Hpart s Hs) as Hp. destruct (test s); [destruct Hp | assumption].
    + destruct (reaching fuel (n :: new) rest') as [reached' lost'] eqn:Er. injection E as <- <-.
      pose proof (Hpart s Hs) as Hp. destruct (test s) eqn:Ee.
      * assert (List.In s ((n :: new) ++ reached')) by (apply in_or_app; left; assumption). auto.
      * destruct (IH _ _ _ _ Hapart' Er s Hp) as [H1 H2]. split.
        -- intros Hl. apply (in_or_app (n :: new)). right. apply H1. apply Hleads; assumption.
        -- destruct H2; [left; apply (in_or_app (n :: new)); right | right]; assumption.
Qed.

Lemma keep_sound (from goal : state -> bool) states :
  (forall m tr i v, is_ended ended tr -> inside tr i -> reflects m tr i l v -> from (make v) = true ->
    exists k, there d tr i k /\ forall v', reflects m tr (step d i k) l v' -> goal (make v') = true) ->
  covers_all states -> covers_all (keep from goal states).
Proof.
  intros Hpromise Hall m tr i v He Hi Hv. unfold keep.
  destruct (partition goal states) as [goals rest] eqn:Ep.
  destruct (reaching (length rest) goals rest) as [reached lost] eqn:Er.
  pose proof (partition_parts _ _ _ _ Ep) as Hpart. rewrite !in_app_iff, filter_In.
  assert (forall s, List.In s rest -> ~ List.In s goals) as Hapart.
  { intros x Hx Hn. apply (partition_no _ _ _ _ _ Ep) in Hx. apply (partition_yes _ _ _ _ _ Ep) in Hn. destruct Hx, Hn. congruence. }
  pose proof (Hpart _ (Hall m tr i v He Hi Hv)) as Hwhere. destruct (goal (make v)) eqn:Egoal; [auto |].
  destruct (reaching_sound _ _ _ _ _ Hapart Er _ Hwhere) as [H1 H2]. right.
  destruct H2 as [H2 | H2]; [auto |]. destruct (from (make v)) eqn:Efrom; [left | auto]. apply H1.
  destruct (Hpromise m tr i v He Hi Hv Efrom) as [k [Hk Hgoal]]. clear Hwhere Egoal H1 H2 Efrom.
  revert i v Hi Hv Hk Hgoal. induction k as [|k IH]; intros i v Hi Hv Hk Hgoal.
  - rewrite step_0 in Hgoal. apply There. pose proof (Hpart _ (Hall m tr i v He Hi Hv)) as Hwhere.
    rewrite (Hgoal v Hv) in Hwhere. assumption.
  - pose proof (Hpart _ (Hall m tr i v He Hi Hv)) as Hwhere.
    destruct (goal (make v)); [apply There; assumption |].
    replace (S k) with (1 + k) in Hk by lia. pose proof (step_there _ _ _ _ _ Hk) as [H1 Hk'].
    destruct (reflects_exists m tr (step d i 1) l) as [v' Hv'].
    apply (Onward goals rest _ (make v') Hwhere); [apply (next_goes m tr i v v' Hi H1 Hv Hv') |].
    apply (IH (step d i 1) v'); auto; [apply there_inside; assumption |]. rewrite step_step. assumption.
Qed.

Definition keep_promise (states : list state) (r : rule) : list state :=
  keep (fun s => value (truth s) (fst r)) (fun s => value (truth s) (snd r)) states.

Definition keep_end (states : list state) : list state :=
  if finishes then keep (fun _ => true) may_end states else states.

Lemma keep_end_sound states : covers_all states -> covers_all (keep_end states).
Proof.
  unfold keep_end. destruct finishes eqn:Ef; [| auto]. apply keep_sound. intros m tr i v He Hi Hv _.
  destruct (comes_to_an_end tr i He Hi Ef) as [k [Hk Hn]]. exists k. split; [assumption |]. intros v' Hv'.
  apply (end_may_end m tr (step d i k) v'); [apply there_inside; assumption | assumption | assumption].
Qed.

(** ** All states *)

(** The variables of the table are less than n. *)
Fixpoint below (n : nat) (t : table) : bool :=
  match t with
  | TTop | TBot => true
  | TVar k => k <? n
  | TNot p => below n p
  | TAnd p q | TOr p q | TImp p q | TIff p q => below n p &&& below n q
  end.

Lemma below_value n v t : below n t = true -> value (firstn n v) t = value v t.
Proof.
  assert (forall k n (v : list bool), k < n -> nth k (firstn n v) false = nth k v false) as Hnth.
  { clear. induction k as [|k IH]; intros [|n] [|x v] Hk; cbn; try lia; auto. apply IH. lia. }
  induction t; cbn [below value]; rewrite ?both_true; intros Hb; try match type of Hb with _ /\ _ => destruct Hb end; rewrite ?IHt, ?IHt1, ?IHt2 by assumption; auto.
  apply Hnth. apply Nat.ltb_lt. assumption.
Qed.

(** The values of n variables that make the tables true: one variable after
    the other, and each table as soon as its variables have values. *)
Fixpoint models (n : nat) (ts : list table) : list (list bool) :=
  match n with
  | 0 => [[]]
  | S n' =>
      let now := filter (fun t => below n t &&& negb (below n' t)) ts in
      filter (fun v => all_true v now) (flat_map (fun v => [v ++ [true]; v ++ [false]]) (models n' ts))
  end.

Lemma models_all n ts v : n <= length v -> all_true v ts = true -> List.In (firstn n v) (models n ts).
Proof.
  induction n as [|n IH]; intros Hn Hv; [left; reflexivity |]. cbn [models]. apply filter_In. split.
  - apply in_flat_map. exists (firstn n v). split; [apply IH; [lia | assumption] |].
    assert (firstn (S n) v = firstn n v ++ [nth n v false]) as ->; [| destruct (nth n v false); cbn; auto].
    clear -Hn. revert v Hn. induction n as [|n IH]; intros [|x v] Hn; cbn in *; try lia; auto. f_equal. apply IH. lia.
  - clear IH. induction ts as [|t ts IH]; [reflexivity |]. cbn [all_true] in Hv. apply both_true in Hv. destruct Hv as [Ht Hts].
    cbn [filter]. destruct (below (S n) t &&& negb (below n t)) eqn:E; [| auto]. cbn [all_true]. apply both_true.
    split; [| auto]. apply both_true in E. rewrite below_value; tauto.
Qed.

(** ** The answer *)

(** Rounds of removals, until all states agree or nothing changes. *)
Fixpoint rounds (fuel : nat) (goal : table) (states : list state) : bool :=
  forallb (fun s => value (truth s) goal) states |||
  match fuel with
  | 0 => false
  | S fuel =>
      let left := fold_left keep_promise promises (keep_end (alive states)) in
      if length left =? length states then false else rounds fuel goal left
  end.

(** An unbounded trace has all positions of every window. *)
Definition endless_fact (f : form) : list form :=
  match as_way f with
  | Some (d', b, Top, Top) => if direction_eqb d d' &&& negb finishes &&& proper b then [f] else []
  | _ => []
  end.

Definition true_if (f : form) : Prop := forall m tr i, is_ended ended tr -> inside tr i -> sem m tr f i.

Lemma endless_fact_sound f g : List.In g (endless_fact f) -> true_if g.
Proof.
  unfold endless_fact. destruct (as_way f) as [[[[d' b] []] []]|] eqn:Ef; try (intros []). apply as_way_is in Ef.
  destruct (direction_eqb d d' &&& negb finishes &&& proper b) eqn:E; [| intros []]. intros [<- | []] m tr i He Hi.
  rewrite !both_true in E. destruct E as [[Ed Ee] Eb]. apply direction_eqb_eq in Ed. rewrite Ef, sem_Way.
  exists (val m (low b)). split; [| split; [| split; [exact I | intros j _; exact I]]].
  - split; [lia |]. destruct (high b) as [h|] eqn:Eh; [apply (proper_le m b h Eb Eh) | exact I].
  - rewrite <- Ed. unfold is_ended, finishes in *. destruct d; [| discriminate].
    destruct (last tr) eqn:El; [rewrite He in Ee; discriminate |]. unfold there, inside. rewrite El. exact I.
Qed.

Definition follows_steps (known : list form) (f : form) : bool :=
  match read f with
  | Some goal => rounds 20 goal (map make (models (length l) (abstracts form_eqb l (flat_map endless_fact l ++ known))))
  | None => false
  end.

Lemma rounds_sound f goal fuel : read f = Some goal -> forall states, covers_all states -> rounds fuel goal states = true -> true_if f.
Proof.
  intros Hf. induction fuel as [|fuel IH]; intros states Hall E; cbn [rounds] in E; apply either_true in E; destruct E as [E | E].
  1, 3: intros m tr i He Hi; destruct (reflects_exists m tr i l) as [v Hv]; apply (read_is m tr i v f goal Hi Hv Hf);
    rewrite forallb_forall in E; apply (E (make v)); apply (Hall m tr i v He Hi Hv).
  - discriminate.
  - match type of E with (if length ?left =? _ then _ else _) = _ => set (after := left) in *; assert (covers_all after) as Hafter end.
    { assert (forall rs, (forall r, List.In r rs -> promise_holds r) -> forall states, covers_all states ->
        covers_all (fold_left keep_promise rs states)) as Hfold.
      { clear. induction rs as [|r rs IH]; intros Hrs states Hall; [assumption |]. cbn. apply IH; [intros; apply Hrs; right; assumption |].
        apply keep_sound; [| assumption]. intros m tr i v _ Hi Hv Hr. apply (Hrs r (or_introl eq_refl) m tr i v Hi Hv Hr). }
      apply Hfold; [| apply keep_end_sound, alive_sound; assumption]. intros r Hr. apply in_flat_map in Hr. destruct Hr as [x [_ Hr]].
      apply (promises_sound x r Hr). }
    destruct (length after =? length states); [discriminate |]. apply (IH after); assumption.
Qed.

Theorem follows_steps_sound known f : (forall g, List.In g known -> valid g) -> follows_steps known f = true -> true_if f.
Proof.
  intros Hknown E. unfold follows_steps in E. destruct (read f) as [goal|] eqn:Hf; [| discriminate].
  apply (rounds_sound f goal 20 Hf) in E; [assumption |]. intros m tr i v He Hi Hv. apply in_map.
  replace v with (firstn (length l) v) by (rewrite <- (proj1 Hv); apply firstn_all).
  apply models_all; [rewrite (proj1 Hv); apply le_n |].
  apply (abstracts_sound form_eqb form_eqb_equiv m tr i Hi l v _ Hv). intros g Hg. apply in_app_or in Hg. destruct Hg as [Hg | Hg].
  - apply in_flat_map in Hg. destruct Hg as [x [_ Hg]]. apply (endless_fact_sound x g Hg m tr i He Hi).
  - apply Hknown; assumption.
Qed.
End Steps.

(** What is known about all states: facts about one way and about two. *)
Definition known (l : list form) : list form :=
  flat_map fact1 l ++
  flat_map (fun f => flat_map (fun g => fact2 (quick 2) f g ++ fact4 (quick 2) f g ++ fact5 (quick 2) f g) l) l.

Lemma known_sound l f : List.In f (known l) -> valid f.
Proof.
  unfold known. rewrite in_app_iff, !in_flat_map. intros [[a [_ Ha]] | [a [_ Ha]]]; [apply (fact1_sound a); assumption |].
  apply in_flat_map in Ha. destruct Ha as [b [_ Hb]]. rewrite !in_app_iff in Hb. destruct Hb as [Hb | [Hb | Hb]].
  - apply (fact2_sound (quick 2) (quick_sound 2) a b); assumption.
  - apply (fact4_sound (quick 2) (quick_sound 2) a b); assumption.
  - apply (fact5_sound (quick 2) (quick_sound 2) a b); assumption.
Qed.

(** The direction of time in which a formula looks. *)
Fixpoint heading (l : list form) : direction :=
  match l with [] => Back | f :: l => match as_way f with Some (d, _, _, _) => d | None => heading l end end.

Definition equal_by_steps (ended : bool) (f g : form) : bool :=
  let goal := Iff (plain f) (plain g) in
  let l := parts goal [] in
  follows_steps ended (heading l) l (known l) goal.

Lemma equal_by_steps_sound ended f g : equal_by_steps ended f g = true -> equiv_if ended f g.
Proof.
  intros E m tr i He Hi. apply follows_steps_sound in E; [| apply known_sound]. specialize (E m tr i He Hi). cbn [sem] in E.
  rewrite <- (plain_is f m tr i Hi), <- (plain_is g m tr i Hi). exact E.
Qed.

(** * Both checkers *)

(** The two formulas are equal on finite traces, or on infinite ones, as far
    as one of the checkers can tell. *)
Definition equal_if (ended : bool) (f g : form) : bool := equal_by_steps ended f g ||| equal f g.

Theorem equal_if_sound ended f g : equal_if ended f g = true -> equiv_if ended f g.
Proof.
  unfold equal_if. rewrite either_true. intros [E | E]; [apply equal_by_steps_sound; assumption |].
  apply equal_sound in E. intros m tr i _ Hi. apply (E m tr i Hi).
Qed.

Definition equal_always (f g : form) : bool := equal_if true f g &&& equal_if false f g.

Theorem equal_always_sound f g : equal_always f g = true -> equiv f g.
Proof.
  unfold equal_always. rewrite both_true. intros [H1 H2] m tr i Hi. apply equal_if_sound in H1, H2.
  destruct (last tr) eqn:El; [apply (H1 m tr i) | apply (H2 m tr i)]; try assumption; unfold is_ended; rewrite El; reflexivity.
Qed.
